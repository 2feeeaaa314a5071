import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOutput } from './programs.mjs'

/** Loads it, and looks whether what it opens is closed in other programs. */
const TRY = `
const pty = require('node-pty').spawn('/bin/sh', ['-c', 'exec sleep 5'], {})
const CLOSED_ON_EXEC = 0o2000000
const flags = process.platform === 'linux' && require('node:fs').readFileSync('/proc/self/fdinfo/' + pty.fd, 'utf8').split(/\\s+/)[3]
console.log(flags && !(Number.parseInt(flags, 8) & CLOSED_ON_EXEC) ? 'shared' : 'ok')
process.kill(pty.pid, 'SIGKILL')
process.exit()
`
/** From the folder in which it is compiled: a path without spaces, wherever the clone lies. */
const HEADER = '../../../scripts/setup/closeOnExec.h'

/** True when node-pty's native part works here as it should; tried in a child, since a broken one could take us along. */
export function nodePtyWorks(root) {
  return readOutput(process.execPath, ['-e', TRY], { cwd: root }) === 'ok'
}

/** True when installing would have to compile node-pty: it ships no binary for this system. */
export function mustCompile(root) {
  if (process.platform === 'darwin') return false
  return !existsSync(join(root, 'node_modules/node-pty/build/Release/pty.node'))
}

/** On Linux its terminals are closed in other programs; macOS starts programs with nothing else open by itself. */
export function compilerFlags(env) {
  if (process.platform !== 'linux') return {}
  return { CXXFLAGS: [env.CXXFLAGS, `-include ${HEADER}`].filter(Boolean).join(' ') }
}
