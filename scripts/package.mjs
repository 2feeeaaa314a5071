// `npm run package` builds and packs the app for this system; further arguments go to electron-builder
// (`npm run package -- --dir` for an unpacked folder).

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly, runToEnd } from './children.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.exitCode = await pack()

async function pack() {
  if ((await runQuietly(join(root, 'scripts/setup.mjs'))) !== 0) return 1
  if ((await runQuietly(join(root, 'scripts/build.mjs'), ['--if-stale'])) !== 0) return 1
  const builder = join(root, 'node_modules/electron-builder/cli.js')
  return runToEnd(process.execPath, [builder, ...process.argv.slice(2)], { cwd: root })
}
