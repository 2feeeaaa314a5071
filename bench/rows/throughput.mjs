import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { call, killTerminals, openShell, Viewer } from '../client.mjs'
import { startHost } from '../host.mjs'
import { inTurn } from '../measure.mjs'
import { startBareHost } from '../parts/bare.mjs'
import { compiled, NO_COMPILER } from '../parts/compile.mjs'
import { streamFile, wireBytes } from '../parts/streams.mjs'

const run = promisify(execFile)

const HEADLESS = fileURLToPath(new URL('../parts/headless.mjs', import.meta.url))
const MEGABYTES = { ascii: 24, colour: 12, cjk: 6 }
const KINDS = Object.keys(MEGABYTES)

const bytesOf = (world, kind) => (MEGABYTES[kind] * 1_000_000) / (world.quick ? 2 : 1)

/**
 * A program's output into log and emulator with one viewer looking, beside tmux with nobody looking; and the floor of
 * this way, which is the emulator and the viewer without anything else of ours, beside both.
 */
export const tmuxThroughput = {
  id: 'throughput-tmux',
  async open(world) {
    const host = await startHost(world)
    const floor = await startBareHost(world, { program: 'exec bash', isEmulated: true })
    const ways = {
      alone: () => eachKind(world, (file) => throughTmuxAlone(world, file)),
      floor: () => eachKind(world, (file) => throughFloor(floor, file)),
      product: () => eachKind(world, (file) => throughTandem(world, host, file))
    }
    return {
      rows: [...rowsOf('tmux', 0.85), ...floorRows('tmux', 'tmux alone')],
      both: inTurn(ways, withFloor),
      close: async () => {
        await floor.stop()
        await host.stop()
      }
    }
  }
}

function withFloor({ alone, floor, product }) {
  return {
    limit: { ...alone, ...keyed('overFloor', floor), ...keyed('floor', alone) },
    product: { ...product, ...keyed('overFloor', product), ...keyed('floor', floor) }
  }
}

function floorRows(backend, limit) {
  const row = { unit: 'MB/s', better: 'higher' }
  return KINDS.flatMap((kind) => [
    { ...row, key: `overFloor-${kind}`, name: `${backend} terminal beside the floor of its way, ${kind}` },
    { ...row, key: `floor-${kind}`, name: `the floor beside ${limit}, ${kind}` }
  ])
}

function keyed(prefix, figures) {
  return Object.fromEntries(KINDS.map((kind) => [`${prefix}-${kind}`, figures[kind]]))
}

/**
 * The same through a pty of the host itself, beside the slower of a bare reader in C and the emulator alone, which no host
 * has: one process reads and emulates in turn. The floor does just that.
 */
export const ptyThroughput = {
  id: 'throughput-pty',
  async open(world) {
    const reader = compiled(world, 'reader')
    if (!reader) return { skip: NO_COMPILER }
    const host = await startHost(world, { backend: 'pty' })
    const skip = await whyNoPty(world, host)
    if (skip) {
      await host.stop()
      return { skip }
    }
    const floor = await startBareHost(world, { program: 'exec bash', isEmulated: true, isPty: true })
    const ways = {
      alone: () => eachKind(world, (file) => ptyLimit(reader, file)),
      floor: () => eachKind(world, (file) => throughFloor(floor, file)),
      product: () => eachKind(world, (file) => throughTandem(world, host, file))
    }
    return {
      rows: [...rowsOf('pty', 0.75), ...floorRows('pty', 'its limit')],
      both: inTurn(ways, withFloor),
      close: async () => {
        await floor.stop()
        await host.stop()
      }
    }
  }
}

function rowsOf(backend, atLeast) {
  const rates = KINDS.map((kind) => ({
    key: kind,
    name: `${backend} terminal: throughput, ${kind}`,
    unit: 'MB/s',
    better: 'higher',
    target: { of: 'ratio', atLeast }
  }))
  // Beside the emulator alone, which nobody can do without. Hardly disturbed by what else the machine does.
  const costs = KINDS.map((kind) => ({
    key: `${kind}Cpu`,
    name: `${backend} terminal: processor time of the host, ${kind}`,
    unit: 'ms/MB',
    better: 'lower'
  }))
  return [...rates, ...costs]
}

async function eachKind(world, measureOne) {
  const figures = {}
  for (const kind of KINDS) {
    const { rate, cpu } = await measureOne(streamFile(world, kind, bytesOf(world, kind)))
    figures[kind] = rate
    figures[`${kind}Cpu`] = cpu
  }
  return figures
}

// Some hosts cannot have it, and say so when asked for a terminal.
async function whyNoPty({ project }, host) {
  try {
    await openShell(host, project).then(({ viewer }) => viewer.close())
    const path = `/api/terminal/sessions?${new URLSearchParams({ project, session: 'bench' })}`
    const { sessions } = await call(host, { path })
    await killTerminals(host, project)
    return sessions[0]?.backend === 'pty' ? undefined : `the host chose the backend "${sessions[0]?.backend}"`
  } catch (failure) {
    return `the pty backend does not start: ${failure.message}`
  }
}

async function throughTmuxAlone({ tmux }, file) {
  const { cpu } = await emulatorAlone(file)
  const done = `bench-${randomBytes(4).toString('hex')}`
  await tmux('-bare', 'new-session', '-d', '-x', '80', '-y', '24', '-s', done, 'cat')
  const began = performance.now()
  // cat can end only when tmux has read all but the last few kilobytes.
  await tmux('-bare', 'new-window', '-d', '-t', `=${done}:`, `cat '${file}'; tmux wait-for -S ${done}`)
  await tmux('-bare', 'wait-for', done)
  const figure = rate(file, began)
  await tmux('-bare', 'kill-session', '-t', `=${done}`)
  return { rate: figure, cpu }
}

async function ptyLimit(reader, file) {
  const inC = Number((await run(reader, ['cat', file])).stdout)
  const { rate, cpu } = await emulatorAlone(file)
  return { rate: Math.min(inC, rate), cpu }
}

async function emulatorAlone(file) {
  return JSON.parse((await run(process.execPath, [HEADLESS, file])).stdout)
}

async function throughTandem({ project }, host, file) {
  const { terminal, viewer } = await openShell(host, project)
  const figures = await throughShell({ host, terminal, viewer }, file)
  await killTerminals(host, project)
  return figures
}

async function throughFloor(floor, file) {
  const viewer = await Viewer.open(floor, floor)
  await viewer.seen('$ ')
  return throughShell({ host: floor, terminal: floor, viewer }, file)
}

async function throughShell({ host, terminal, viewer }, file) {
  const before = viewer.offset
  const done = `done-${randomBytes(4).toString('hex')}`
  const cpuBefore = (await host.ask('cpu')).ms
  const began = performance.now()
  // Split in the typed line, so that its echo is not taken for the end.
  viewer.type(`cat ${file}; echo ${done.slice(0, 6)}''${done.slice(6)}\r`)
  await viewer.seen(done)
  // A second viewer is told which offset the emulator has parsed.
  const parsed = await Viewer.open(host, terminal, { preview: true })
  await parsed.reached(viewer.offset)
  const figures = {
    rate: rate(file, began),
    cpu: ((await host.ask('cpu')).ms - cpuBefore) / (statSync(file).size / 1e6)
  }
  const missing = wireBytes(file) - (viewer.offset - before)
  await Promise.all([viewer.close(), parsed.close()])
  if (missing > 0) throw new Error(`${missing} bytes of ${file} did not reach the log`)
  return figures
}

function rate(file, began) {
  return statSync(file).size / 1000 / (performance.now() - began)
}
