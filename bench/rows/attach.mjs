import { fileURLToPath } from 'node:url'
import { killTerminals, openShell, Viewer } from '../client.mjs'
import { startHost, startProcess } from '../host.mjs'
import { median } from '../measure.mjs'
import { streamFile } from '../parts/streams.mjs'

const SCREEN_SERVER = fileURLToPath(new URL('../parts/screenServer.mjs', import.meta.url))
const HISTORY_BYTES = 900_000
const ROW = { unit: 'ms', better: 'lower' }

/** A viewer joins a terminal with 10,000 lines: when it has a screen, and how long the host stood still for it. */
export const attachRow = {
  id: 'attach',
  async open(world) {
    const times = world.quick ? 3 : 7
    const host = await startHost(world)
    const terminal = await longTerminal(world, host)
    const bare = await startProcess(world, { script: SCREEN_SERVER })
    return {
      rows: [
        {
          ...ROW,
          key: 'screen',
          name: 'attach to 10,000 lines: first full screen',
          target: { of: 'product', atMost: 50 }
        },
        { ...ROW, key: 'whole', name: 'attach to 10,000 lines: with all history' },
        { ...ROW, key: 'block', name: 'attach to 10,000 lines: longest block', target: { of: 'product', atMost: 20 } },
        { ...ROW, key: 'held', name: 'attach to 10,000 lines: loop held', target: { of: 'product', atMost: 20 } }
      ],
      limit: () => attaches(times, { server: bare, host: bare, terminal: bare, snapshots: 1 }),
      product: () => attaches(times, { server: host, host, terminal, snapshots: 2 }),
      close: async () => {
        await bare.stop()
        await killTerminals(host, world.project)
        await host.stop()
      }
    }
  }
}

async function longTerminal(world, host) {
  const { terminal, viewer } = await openShell(host, world.project)
  viewer.type(`cat ${streamFile(world, 'mixed', HISTORY_BYTES)}; echo en''d\r`)
  await viewer.seen('end')
  await viewer.close()
  return terminal
}

async function attaches(times, attached) {
  const taken = []
  while (taken.length < times) taken.push(await attach(attached))
  const all = (key) => taken.map((figures) => figures[key])
  return {
    screen: median(all('screen')),
    whole: median(all('whole')),
    block: Math.max(...all('block')),
    held: Math.max(...all('held'))
  }
}

async function attach({ server, host, terminal, snapshots }) {
  await server.ask('watch')
  const began = performance.now()
  const viewer = await Viewer.open(host, terminal, { preview: true })
  await viewer.until(() => viewer.snapshots >= 1, 'the first screen')
  const screen = performance.now() - began
  await viewer.until(() => viewer.snapshots >= snapshots, 'the history')
  const whole = performance.now() - began
  const { max: block, held } = await server.ask('unwatch')
  await viewer.close()
  return { screen, whole, block, held }
}
