import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startHost } from '../host.mjs'

const run = promisify(execFile)

/** How long `tandem serve` takes until it is ready, beside the start of Node itself. */
export const serveStart = {
  id: 'start',
  open: async (world) => ({
    rows: [
      {
        key: 'ms',
        name: 'serve: start to ready',
        unit: 'ms',
        better: 'lower',
        target: { of: 'product', atMost: 400 }
      }
    ],
    limit: async () => ({ ms: await timed(() => run(process.execPath, ['-e', ''])) }),
    product: async () => {
      const began = performance.now()
      const host = await startHost(world, { probe: false })
      const ms = performance.now() - began
      await host.stop()
      return { ms }
    }
  })
}

async function timed(action) {
  const began = performance.now()
  await action()
  return performance.now() - began
}
