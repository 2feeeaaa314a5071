import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt, newestSource } from './freshness.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const STALE_AFTER_MS = 3_600_000

// Builds into a folder of its own and swaps it in whole, so that nobody ever runs a half-built `out/`.
if (process.argv.includes('--if-stale') && isBuilt(ROOT)) process.exit(0)
removeAbandonedBuilds()
const made = join(ROOT, `out-${process.pid}`)
mkdirSync(made, { recursive: true })
try {
  process.exitCode = build(made)
} finally {
  rmSync(made, { recursive: true, force: true })
}

function build(target) {
  const sources = newestSource(ROOT)
  const cli = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
  const args = [cli, 'build', '--logLevel', 'warn', '--outDir', target]
  // stdout belongs to whoever is built for; a failed build must not be mistaken for output of the program.
  const { status, error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) {
    process.stderr.write('build: failed, the last good build is kept\n')
    return 1
  }
  writeFileSync(join(target, '.built'), String(sources))
  swapIn(target)
  return 0
}

// Another build may swap at the same moment; then its `out/` is simply moved away in turn.
function swapIn(target) {
  const out = join(ROOT, 'out')
  for (let attempt = 0; ; attempt += 1) {
    const old = `${target}.${attempt}`
    if (existsSync(out)) renameSync(out, old)
    try {
      renameSync(target, out)
      return
    } catch (error) {
      if (attempt === 10 || !['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

function removeAbandonedBuilds() {
  for (const name of readdirSync(ROOT)) {
    const path = join(ROOT, name)
    const abandoned = basename(path).startsWith('out-') && Date.now() - statSync(path).mtimeMs > STALE_AFTER_MS
    if (abandoned) rmSync(path, { recursive: true, force: true })
  }
}
