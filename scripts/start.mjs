// `npm start`: sets up, builds, opens the desktop app; without Electron's binary or a display, the same app in a browser.

import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly, runToEnd } from './children.mjs'
import { electronBinary, hasDisplay } from './electron.mjs'

const DOWNLOAD_LIMIT_MS = 300_000
const VARIABLES = { '--data-dir': 'TANDEM_DATA_DIR', '--port': 'TANDEM_PORT' }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.exitCode = await start()

async function start() {
  if ((await runQuietly(join(root, 'scripts/setup.mjs'))) !== 0) return 1
  if ((await runQuietly(join(root, 'scripts/build.mjs'), ['--if-stale'])) !== 0) return 1
  const args = process.argv.slice(2)
  if (!hasDisplay()) return serve('There is no display', args)
  const electron = await findOrFetchElectron()
  if (!electron) return serve("Electron's binary cannot be had", args)
  const { words, environment } = forWindow(args)
  return runToEnd(electron, [root, ...words], { env: { ...process.env, ...environment } })
}

/** The window takes a folder and the flags of Chromium: what these flags of `serve` say, it is told by their variables. */
function forWindow(args) {
  const left = [...args]
  const words = []
  const environment = {}
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [flag = '', inline] = word.split(/=(.*)/s)
    const value = flag in VARIABLES ? (inline ?? left.shift() ?? '') : undefined
    if (value === undefined) words.push(word)
    else environment[VARIABLES[flag]] = flag === '--data-dir' && value ? resolve(value) : value
  }
  return { words, environment }
}

async function findOrFetchElectron() {
  const installer = join(root, 'node_modules/electron/install.js')
  if (!electronBinary(root) && !process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) {
    process.stderr.write('Fetching Electron…\n')
    // Its own account of a failed download is long; one line of ours follows.
    await runToEnd(process.execPath, [installer], { stdio: 'ignore', timeout: DOWNLOAD_LIMIT_MS })
  }
  return electronBinary(root)
}

function serve(reason, args) {
  process.stderr.write(`${reason}, so Tandem is served for your browser instead:\n`)
  return runToEnd(process.execPath, [join(root, 'bin/tandem.mjs'), 'serve', ...args])
}
