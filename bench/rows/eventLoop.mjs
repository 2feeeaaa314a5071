import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { killTerminals, openShell } from '../client.mjs'
import { startHost } from '../host.mjs'
import { compiled, NO_COMPILER } from '../parts/compile.mjs'
import { streamFile } from '../parts/streams.mjs'

const run = promisify(execFile)
const BARE_PIPES = fileURLToPath(new URL('../parts/barePipes.mjs', import.meta.url))
const TERMINALS = 16
const BYTES_A_SECOND = 10_000_000
const ROW = { better: 'lower', unit: 'ms' }

/** How long the host's event loop is away while 16 terminals print 10 MB/s together, beside a bare reader. */
export const eventLoopRow = {
  id: 'event-loop',
  async open(world) {
    const pacer = compiled(world, 'pacer')
    if (!pacer) return { skip: NO_COMPILER }
    const watchMs = world.quick ? 2500 : 6000
    const folder = join(world.root, 'paced')
    mkdirSync(folder)
    const program = `${paced(world, pacer, watchMs)} ${folder}`
    const host = await startHost(world)
    return {
      rows: [
        {
          ...ROW,
          key: 'p99',
          name: 'event loop delay, 16 terminals at 10 MB/s, p99',
          target: { of: 'product', atMost: 20 }
        },
        { key: 'rate', name: 'event loop delay: rate that was reached', unit: 'MB/s', better: 'higher' }
      ],
      limit: () => bareDelay(world, { program, watchMs }),
      product: () => hostDelay(world, host, { program, watchMs, folder }),
      close: host.stop
    }
  }
}

function paced(world, pacer, watchMs) {
  const file = streamFile(world, 'mixed', 1_000_000)
  const seconds = Math.ceil(watchMs / 1000) + 30
  return `${pacer} ${file} ${Math.round(BYTES_A_SECOND / TERMINALS)} ${seconds}`
}

async function bareDelay({ root, bareArguments, env }, { program, watchMs }) {
  const programs = Array.from({ length: TERMINALS }, () => program)
  const order = JSON.stringify({ bareArguments: bareArguments(), root, programs, watchMs })
  const { stdout } = await run(process.execPath, [BARE_PIPES, order], { env })
  const { p99, rate } = JSON.parse(stdout)
  return { p99, rate }
}

async function hostDelay({ project }, host, { program, watchMs, folder }) {
  const shells = []
  for (let number = 0; number < TERMINALS; number += 1) shells.push(await openShell(host, project))
  for (const { viewer } of shells) viewer.type(`exec ${program}\r`)
  // One of them is looked at, as it is when a person works.
  await Promise.all(shells.slice(1).map(({ viewer }) => viewer.close()))
  await pause(1000)
  await host.ask('watch')
  const rate = await rateDuring(folder, () => pause(watchMs))
  const { p99 } = await host.ask('unwatch')
  await shells[0].viewer.close()
  await killTerminals(host, project)
  return { p99, rate }
}

/** What the programs could write while `work` went on, in MB/s: they stand still when nobody takes it. */
async function rateDuring(folder, work) {
  const [before, began] = [written(folder), performance.now()]
  await work()
  return (written(folder) - before) / 1000 / (performance.now() - began)
}

function written(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + Number(readFileSync(join(folder, name), 'utf8')), 0)
}
