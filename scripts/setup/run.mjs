import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustCompile, nodePtyWorks } from './nodePty.mjs'
import { ensureTestTools, installPackages, packagesMatchLock, rebuildNodePty } from './packages.mjs'
import { findProgram } from './programs.mjs'
import { say } from './say.mjs'
import { ensureTools } from './tools.mjs'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Sets up what is missing and nothing else; false when the person has to act first. */
export function run({ tests }) {
  const complete = packagesMatchLock(ROOT)
  const compiles = !complete || mustCompile(ROOT)
  // Tools first: when one cannot be had, nothing has been touched yet.
  if (
    !ensureTools([
      'run',
      ...(compiles && process.platform !== 'darwin' ? ['compile'] : []),
      ...(tests ? ['tests'] : [])
    ])
  ) {
    return false
  }
  if (!findProgram('npm')) {
    say('npm is missing; it comes with Node from https://nodejs.org')
    return false
  }
  if (!complete && !installPackages(ROOT)) return false
  if (tests && !ensureTestTools(ROOT)) return false
  return ensureNodePty()
}

function ensureNodePty() {
  if (nodePtyWorks(ROOT)) return true
  if (!ensureTools(['compile'])) return false
  if (rebuildNodePty(ROOT) && nodePtyWorks(ROOT)) return true
  say('node-pty does not work here; the output above says why')
  return false
}
