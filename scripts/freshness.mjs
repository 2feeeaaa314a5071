import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Written by the build as its last step: the newest source time it was made from. */
export const BUILD_STAMP = join('out', '.built')

const BUILD_INPUTS = ['electron.vite.config.ts', 'package.json', 'package-lock.json']

/** Time of the newest file the build is made from. Folders count too: a deleted file changes its folder. */
export function newestSource(root) {
  let newest = 0
  const look = (path) => {
    newest = Math.max(newest, statSync(path).mtimeMs)
  }
  const walk = (directory) => {
    look(directory)
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (!entry.name.includes('.test.')) look(path)
    }
  }
  walk(join(root, 'src'))
  for (const name of BUILD_INPUTS) look(join(root, name))
  return newest
}

/** True when `out/` was built completely and from the sources as they are now. */
export function isBuilt(root) {
  return readOr(join(root, BUILD_STAMP), '') === String(newestSource(root))
}

/** True when setup was run for the lock file as it is now. */
export function isSetUp(root) {
  const stamp = readOr(join(root, 'node_modules', '.tandem-setup'), '')
  return (
    stamp !== '' &&
    stamp ===
      createHash('sha256')
        .update(readFileSync(join(root, 'package-lock.json')))
        .digest('hex')
  )
}

function readOr(path, fallback) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return fallback
    throw error
  }
}
