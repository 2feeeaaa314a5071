import { execFile } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as pty from 'node-pty'
import { killTerminals, openShell, Viewer } from '../client.mjs'
import { startHost } from '../host.mjs'
import { inTurn } from '../measure.mjs'
import { startBareHost } from '../parts/bare.mjs'
import { ECHO_PROGRAM, echoThrough, echoTimes, startEcho } from '../parts/echo.mjs'
import { streamFile, wireBytes } from '../parts/streams.mjs'

const run = promisify(execFile)
const BARE_PIPES = fileURLToPath(new URL('../parts/barePipes.mjs', import.meta.url))
const FLOODS = 8
const ROW = { unit: 'ms', better: 'lower' }

/**
 * A key through WebSocket, host and tmux to a program and back, beside a pty held directly; and the floor of this way,
 * which is the same without anything of ours in the host, beside both.
 */
export const idleEcho = {
  id: 'echo',
  async open(world) {
    const keys = world.quick ? 200 : 500
    const host = await startHost(world)
    const { viewer } = await openShell(host, world.project)
    await startEcho(viewer)
    const floor = await openFloor(world)
    const isEnough = (count) => count >= keys
    const ways = {
      direct: () => directEcho(keys),
      floor: () => echoThrough(floor.viewer, isEnough),
      product: () => echoThrough(viewer, isEnough)
    }
    return {
      rows: [
        { ...ROW, key: 'p50', name: 'keystroke echo, p50', target: { of: 'ratio', atMost: 3 } },
        { ...ROW, key: 'p99', name: 'keystroke echo, p99', target: { of: 'ratio', atMost: 5 } },
        ...floorRows('keystroke echo', 'a pty')
      ],
      both: inTurn(ways, ({ direct, floor, product }) => beside({ limit: direct, floor, product })),
      close: async () => {
        await floor.close()
        await viewer.close()
        await killTerminals(host, world.project)
        await host.stop()
      }
    }
  }
}

/** What is ours to improve, and what is not. */
function floorRows(what, limit) {
  return ['p50', 'p99'].flatMap((key) => [
    { ...ROW, key: `overFloor-${key}`, name: `${what} beside the floor of its way, ${key}` },
    { ...ROW, key: `floor-${key}`, name: `the floor of ${what} beside ${limit}, ${key}` }
  ])
}

function beside({ limit, floor, product }) {
  const overFloor = ({ p50, p99 }) => ({ 'overFloor-p50': p50, 'overFloor-p99': p99 })
  const asFloor = ({ p50, p99 }) => ({ 'floor-p50': p50, 'floor-p99': p99 })
  return {
    limit: { ...limit, ...overFloor(floor), ...asFloor(limit) },
    product: { ...product, ...overFloor(product), ...asFloor(floor) }
  }
}

async function openFloor(world, options = {}) {
  const floor = await startBareHost(world, { program: ECHO_PROGRAM, ...options })
  const viewer = await Viewer.open(floor, floor)
  await viewer.seen('READY')
  const close = async () => {
    await viewer.close()
    await floor.stop()
  }
  return { viewer, close }
}

async function directEcho(keys) {
  const child = pty.spawn('sh', ['-c', ECHO_PROGRAM], { encoding: null, cols: 80, rows: 24 })
  let received = 0
  let look = () => undefined
  child.onData((bytes) => {
    received += bytes.length
    look()
  })
  const until = (count) =>
    new Promise((resolve) => {
      look = () => received >= count && resolve()
      look()
    })
  await until('READY'.length)
  let expected = received
  const echoed = () => {
    expected += 1
    return until(expected)
  }
  const times = await echoTimes({ press: () => child.write('k'), echoed, isEnough: (count) => count >= keys })
  const ended = new Promise((resolve) => child.onExit(resolve))
  child.kill('SIGKILL')
  await ended
  return times
}

/**
 * The same while other terminals print at full speed, beside a bare reader of the same pipes; and nothing may be lost.
 * The floor is a bare host that emulates them all.
 */
export const floodedEcho = {
  id: 'echo-flood',
  async open(world) {
    const file = streamFile(world, 'ascii', world.quick ? 4_000_000 : 10_000_000)
    const echoMs = world.quick ? 1000 : 2500
    const host = await startHost(world)
    const ways = {
      limit: () => bareFloodedEcho(world, { file, echoMs }),
      floor: () => floorOfFloodedEcho(world, { file, echoMs }),
      product: () => tandemFloodedEcho(world, host, { file, echoMs })
    }
    return {
      rows: [
        { ...ROW, key: 'p50', name: 'echo beside 8 floods, p50' },
        { ...ROW, key: 'p99', name: 'echo beside 8 floods, p99', target: { of: 'ratio', atMost: 1.5 } },
        {
          key: 'lost',
          name: 'echo beside 8 floods, bytes lost',
          unit: 'B',
          better: 'lower',
          target: { of: 'product', atMost: 0 }
        },
        ...floorRows('echo beside 8 floods', 'a bare reader')
      ],
      both: inTurn(ways, beside),
      close: host.stop
    }
  }
}

// Waits for the word to go, so that all begin together; stays afterwards, so that its end changes nothing.
const floodProgram = (file, go) => `while [ ! -e ${go} ]; do sleep 0.05; done; cat ${file}; exec sleep 1000`

const floodPrograms = (file, go) => Array.from({ length: FLOODS }, () => floodProgram(file, go))

async function bareFloodedEcho({ root, bareArguments, env }, { file, echoMs }) {
  const go = join(root, 'go-bare')
  const programs = floodPrograms(file, go)
  const order = JSON.stringify({ bareArguments: bareArguments(), root, programs, go, echoMs })
  try {
    const { stdout } = await run(process.execPath, [BARE_PIPES, order], { env })
    const { p50, p99 } = JSON.parse(stdout)
    return { p50, p99 }
  } finally {
    rmSync(go, { force: true })
  }
}

async function floorOfFloodedEcho(world, { file, echoMs }) {
  const go = join(world.root, 'go-floor')
  const floods = floodPrograms(file, go)
  const floor = await openFloor(world, { isEmulated: true, floods })
  const times = await echoDuringFloods(floor.viewer, { go, echoMs })
  await floor.close()
  rmSync(go)
  return times
}

async function echoDuringFloods(viewer, { go, echoMs }) {
  writeFileSync(go, '')
  await pause(300)
  const end = performance.now() + echoMs
  return echoThrough(viewer, () => performance.now() > end)
}

async function tandemFloodedEcho({ root, project }, host, { file, echoMs }) {
  const go = join(root, 'go')
  const floods = []
  for (let number = 0; number < FLOODS; number += 1)
    floods.push(await waitingFlood(host, project, floodProgram(file, go)))
  const { viewer } = await openShell(host, project)
  await startEcho(viewer)
  const times = await echoDuringFloods(viewer, { go, echoMs })
  const lost = await Promise.all(floods.map((flood) => lostBytes(host, flood, file)))
  await viewer.close()
  await killTerminals(host, project)
  rmSync(go)
  return { ...times, lost: lost.reduce((sum, bytes) => sum + bytes, 0) }
}

async function waitingFlood(host, project, program) {
  const { terminal, viewer } = await openShell(host, project)
  viewer.type(`exec sh -c "printf REA''DY; ${program}"\r`)
  await viewer.seen('READY')
  const { offset } = viewer
  await viewer.close()
  return { terminal, offset }
}

/** Offsets count every byte the log took; a gap counts as one. */
async function lostBytes(host, { terminal, offset }, file) {
  const expected = offset + wireBytes(file)
  for (let last = -1, still = 0; still < 4; ) {
    const viewer = await Viewer.open(host, terminal, { preview: true })
    await viewer.reached(0)
    const reached = viewer.offset
    await viewer.close()
    if (reached >= expected) return reached - expected
    still = reached === last ? still + 1 : 0
    last = reached
    await pause(500)
    if (still === 4) return expected - reached
  }
  return statSync(file).size
}
