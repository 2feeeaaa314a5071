import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { killTerminals, openShell, Viewer } from '../client.mjs'
import { startHost } from '../host.mjs'
import { streamFile } from '../parts/streams.mjs'

const run = promisify(execFile)
const EMULATORS = fileURLToPath(new URL('../parts/emulatorMemory.mjs', import.meta.url))
const IDLE = 20
const FULL = 4
const FULL_BYTES = 10_200 * 80
const ROW = { unit: 'MB', better: 'lower' }

/** What a terminal costs the host, idle and with a full history, beside the emulator alone. Garbage is collected first. */
export const memoryRow = {
  id: 'memory',
  open: async (world) => ({
    rows: [
      { ...ROW, key: 'idle', name: 'memory of an idle terminal', target: { of: 'product', atMost: 1.5 } },
      { ...ROW, key: 'full', name: 'memory with 10,000 full lines', target: { of: 'product', atMost: 24 } }
    ],
    limit: async () => {
      const file = streamFile(world, 'ascii', FULL_BYTES)
      return JSON.parse((await run(process.execPath, ['--expose-gc', EMULATORS, file, IDLE, FULL])).stdout)
    },
    product: async () => {
      const host = await startHost(world)
      try {
        return await hostMemory(world, host)
      } finally {
        await host.stop()
      }
    }
  })
}

async function hostMemory(world, host) {
  await fill(world, host, await openMany(world, host, 1))
  await killTerminals(host, world.project)
  const empty = await megabytes(host)
  const terminals = await openMany(world, host, IDLE)
  const idle = await megabytes(host)
  await fill(world, host, terminals.slice(0, FULL))
  const full = await megabytes(host)
  await killTerminals(host, world.project)
  return { idle: (idle - empty) / IDLE, full: (full - idle) / FULL }
}

async function openMany({ project }, host, count) {
  const terminals = []
  while (terminals.length < count) {
    const { terminal, viewer } = await openShell(host, project)
    await viewer.close()
    terminals.push(terminal)
  }
  return terminals
}

async function fill(world, host, terminals) {
  const file = streamFile(world, 'ascii', FULL_BYTES)
  for (const terminal of terminals) {
    const viewer = await Viewer.open(host, terminal)
    await viewer.reached(0)
    viewer.type(`cat ${file}; echo en''d\r`)
    await viewer.seen('end')
    await viewer.close()
  }
}

async function megabytes(host) {
  await host.ask('memory')
  return (await host.ask('memory')).rssBytes / 1e6
}
