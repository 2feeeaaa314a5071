import { setTimeout as pause } from 'node:timers/promises'
import { connectMcp, killTerminals, openShell } from '../client.mjs'
import { startHost } from '../host.mjs'

const TERMINALS = 100
const QUICK_TERMINALS = 20
/** A history of 10,000 lines and a screen, and more than a megabyte. */
const FILL = 'seq -f "line %.0f of a buffer that is as full as it can be, with some words to look through" 1 12000'
const NOWHERE = 'no line of any buffer holds this'
const IDLE_MS = 2000
const ROW = { better: 'lower', unit: 'ms' }

/** How long the host's event loop is away while full buffers are searched, beside the same host at rest. */
export const searchRow = {
  id: 'search',
  async open(world) {
    const count = world.quick ? QUICK_TERMINALS : TERMINALS
    const host = await startHost(world)
    await fill(host, world.project, count)
    const agent = await connectMcp(host)
    return {
      rows: [
        {
          ...ROW,
          key: 'longest',
          name: `event loop delay, ${count} full buffers searched, longest`,
          target: { of: 'product', atMost: 20 }
        },
        {
          ...ROW,
          key: 'held',
          name: `event loop held, ${count} full buffers searched, longest`,
          target: { of: 'product', atMost: 20 }
        },
        { ...ROW, key: 'whole', name: `${count} full buffers searched` }
      ],
      limit: () => watched(host, () => pause(IDLE_MS)),
      product: () => watched(host, () => agent.call('search_terminal_buffer', { query: NOWHERE })),
      async close() {
        await agent.close()
        await killTerminals(host, world.project)
        await host.stop()
      }
    }
  }
}

async function fill(host, project, count) {
  for (let number = 0; number < count; number += 1) {
    const { viewer } = await openShell(host, project)
    viewer.type(`${FILL}; echo fill"ed"\r`)
    await viewer.seen('filled')
    await viewer.close()
  }
}

async function watched(host, work) {
  await host.ask('watch')
  const began = performance.now()
  await work()
  const whole = performance.now() - began
  const { max, held } = await host.ask('unwatch')
  return { longest: max, held, whole }
}
