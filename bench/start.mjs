import { execFileSync } from 'node:child_process'
import { startHost } from './world.mjs'

/** How long `tandem serve` takes until it is ready, beside the start of Node itself. */
export function startRow(world) {
  return {
    name: 'serve: start to ready',
    unit: 'ms',
    better: 'lower',
    reach: '400 ms',
    limit: () => timed(() => execFileSync(process.execPath, ['-e', ''])),
    product: async () => {
      const began = performance.now()
      const host = await startHost(world)
      const took = performance.now() - began
      await host.stop()
      return took
    }
  }
}

async function timed(action) {
  const began = performance.now()
  await action()
  return performance.now() - began
}
