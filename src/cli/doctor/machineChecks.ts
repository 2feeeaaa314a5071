import { createServer } from 'node:net'
import { findTmux } from '../../core/backends/tmux/tmuxBinary'
import { defaultShell, findProgram } from '../../core/workspace/findProgram'
import { AppError } from '../../shared/errors'
import { appProgram } from '../openWindow'
import { strings } from '../strings'
import type { Check, Finding } from './finding'

const OLDEST_NODE = { major: 20, minor: 19 }
const DEFAULT_PORT = 7681
const words = strings.doctor

export const checkNode: Check = () => {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isNewEnough = major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)
  if (isNewEnough) return [{ check: 'node', level: 'ok', message: words.node(node) }]
  return [{ check: 'node', level: 'fail', message: words.nodeOld(node), fix: words.nodeFix }]
}

/** Without tmux programs run all the same, but end with the host; only who insists on tmux is stuck. */
export const checkTmux: Check = async ({ environment, settings }) => {
  try {
    const { version } = await findTmux({ PATH: environment.PATH ?? '' })
    return [{ check: 'tmux', level: 'ok', message: words.tmux(version.text) }]
  } catch (failure) {
    const { message, hint } = AppError.from(failure)
    const level = settings.backend === 'tmux' ? 'fail' : 'warn'
    return [{ check: 'tmux', level, message: words.noTmux(message), ...(hint ? { fix: hint } : {}) }]
  }
}

/** Says where the shell's name comes from, not what it is: reports must not tell values of the environment. */
export const checkShell: Check = async ({ environment, settings }) => {
  const source = settings.default_shell ? 'default_shell' : environment.SHELL ? '$SHELL' : '/bin/bash'
  try {
    await findProgram(defaultShell(settings.default_shell, environment), environment)
    return [{ check: 'shell', level: 'ok', message: words.shell(source) }]
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    return [{ check: 'shell', level: 'fail', message: words.noShell(source), fix: words.shellFix }]
  }
}

export const checkPort: Check = async ({ endpoint }) => {
  if (endpoint) return [{ check: 'port', level: 'ok', message: words.portOurs(new URL(endpoint.url).port) }]
  if (await isFree(DEFAULT_PORT)) return [{ check: 'port', level: 'ok', message: words.portFree(DEFAULT_PORT) }]
  return [{ check: 'port', level: 'warn', message: words.portBusy(DEFAULT_PORT), fix: words.portFix }]
}

export const checkElectron: Check = ({ environment }): Finding[] => {
  const message = appProgram(environment) ? words.electron : words.noElectron
  return [{ check: 'desktop', level: 'ok', message }]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)))
  })
}
