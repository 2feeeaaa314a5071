// `npm run package` builds and packs the app for this system; further arguments go to electron-builder
// (`npm run package -- --dir` for an unpacked folder). TANDEM_UPDATES names where the packages will look for newer versions.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly, runToEnd } from './children.mjs'
import { updateSource } from './updateSource.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.exitCode = await pack()

async function pack() {
  // Before anything is built: a source that is not understood is no reason to leave it out.
  const source = updateSource(process.env.TANDEM_UPDATES)
  if ((await runQuietly(join(root, 'scripts/setup.mjs'))) !== 0) return 1
  if ((await runQuietly(join(root, 'scripts/build.mjs'), ['--if-stale'])) !== 0) return 1
  const builder = join(root, 'node_modules/electron-builder/cli.js')
  // What is made is put out by whoever looked at it, never by the packer.
  const words = ['--publish', 'never', ...source, ...process.argv.slice(2)]
  return runToEnd(process.execPath, [builder, ...words], { cwd: root })
}
