// `npm run dev`: rebuilds on every change. With Electron and a display it runs the window with hot reload; otherwise it
// restarts `tandem serve` after each build (terminals live on in tmux) and the page is reloaded by hand.

import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly, runToEnd } from './children.mjs'
import { electronBinary, hasDisplay } from './electron.mjs'

/** Editors save in several steps, and several files at once. */
const SETTLE_MS = 200

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
await develop()

async function develop() {
  if ((await runQuietly(join(root, 'scripts/setup.mjs'))) !== 0) process.exit(1)
  if (!hasDisplay() || !electronBinary(root)) return serveAndRebuild()
  process.exitCode = await runToEnd(process.execPath, [electronVite, 'dev', '--watch'])
}

async function serveAndRebuild() {
  let host = startHost()
  let pending
  const rebuild = async () => {
    if ((await runQuietly(join(root, 'scripts/build.mjs'), ['--if-stale'])) !== 0) return
    host.off('exit', leave)
    host.once('exit', () => {
      host = startHost()
      host.once('exit', leave)
    })
    host.kill('SIGTERM')
  }
  const leave = (code) => process.exit(code ?? 1)
  host.once('exit', leave)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => host.kill('SIGTERM'))
  watch(join(root, 'src'), { recursive: true }, () => {
    clearTimeout(pending)
    pending = setTimeout(rebuild, SETTLE_MS)
  })
}

function startHost() {
  return spawn(process.execPath, [join(root, 'bin/tandem.mjs'), 'serve', ...process.argv.slice(2)], {
    stdio: 'inherit'
  })
}
