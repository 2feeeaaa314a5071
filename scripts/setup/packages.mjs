import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compilerFlags } from './nodePty.mjs'
import { readOutput, runLoudly } from './programs.mjs'
import { say } from './say.mjs'

/** Inside node_modules, so that removing them removes the claim that they are complete. */
const STAMP = join('node_modules', '.tandem-setup')

/** True when node_modules is what the lock file says. */
export function packagesMatchLock(root) {
  const hash = lockHash(root)
  if (readIfThere(join(root, STAMP)) === hash) return true
  if (!installedVersionsMatch(root)) return false
  writeFileSync(join(root, STAMP), hash)
  return true
}

/** Installs the programs that only tests run, in the versions of their own lock file. */
export function ensureTestTools(root) {
  const folder = join(root, 'tests/tools')
  // They are plain JavaScript and finished binaries: nothing of theirs has to run to be installed.
  return packagesMatchLock(folder) || installPackages(folder, { what: 'test tools', flags: ['--ignore-scripts'] })
}

/** Installs exactly what the lock file says. */
export function installPackages(root, { what = 'packages', flags = [] } = {}) {
  say(`installing ${what} (npm ci)`)
  const done = runLoudly('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...flags], {
    cwd: root,
    env: buildEnvironment(root)
  })
  if (done) writeFileSync(join(root, STAMP), lockHash(root))
  else say('npm ci failed; its output is above')
  return done
}

export function rebuildNodePty(root) {
  say('building node-pty')
  return runLoudly('npm', ['rebuild', 'node-pty'], { cwd: root, env: buildEnvironment(root) })
}

// Without headers on this machine node-gyp downloads them; with them nothing is downloaded.
function buildEnvironment(root) {
  const env = { ...process.env, ...compilerFlags(process.env), ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }
  const headers = nodeHeaders(root)
  return headers ? { ...env, npm_config_nodedir: headers } : env
}

function nodeHeaders(root) {
  const configured = readOutput('npm', ['config', 'get', 'nodedir'], { cwd: root })
  const besideNode = dirname(dirname(process.execPath))
  return [configured, besideNode, '/usr'].find((path) => path && existsSync(join(path, 'include/node/node_api.h')))
}

// npm's own record of what it installed, written at the end of an installation.
function installedVersionsMatch(root) {
  const installed = parseIfThere(join(root, 'node_modules/.package-lock.json'))?.packages
  if (!installed) return false
  const wanted = parseIfThere(join(root, 'package-lock.json')).packages
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || (installed[path] ? installed[path].version === entry.version : entry.optional === true)
  )
}

function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function parseIfThere(path) {
  const text = readIfThere(path)
  return text === undefined ? undefined : JSON.parse(text)
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
