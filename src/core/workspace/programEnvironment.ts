import { AppError } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import { quote } from './quote'

/** What no program inherits: keys to other things, and variables that change how programs are loaded. */
const DENIED = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'GITHUB_TOKEN',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  '*TOKEN*',
  '*SECRET*',
  '*PASSWORD*',
  '*CREDENTIAL*',
  '*_API_KEY',
  'TANDEM_*_KEY',
  'ELECTRON_*',
  'VSCODE_*',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_*',
  'SNAP*',
  'GDK_PIXBUF_*',
  'DEBUG',
  'TANDEM_TOKEN'
]
const DENIED_PATTERN = new RegExp(`^(?:${DENIED.map((glob) => glob.replaceAll('*', '.*')).join('|')})$`, 'is')

// With TMUX set, a `tmux kill-server` typed in a tab would end every terminal.
const NEVER_PASSED = new Set(['TMUX', 'TMUX_PANE'])
/** Where the host itself was started is nobody's business, and wrong for every program. */
const OF_THE_HOST = new Set(['PWD', 'OLDPWD', 'SHLVL', '_'])
/** Tells every program in which terminal it runs; a name, no secret. */
export const TERMINAL_ID_VARIABLE = 'TANDEM_TERMINAL_ID'
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export interface EnvironmentSources {
  host: NodeJS.ProcessEnv
  settings: Pick<Settings, 'term' | 'pass_env'>
  requested?: Readonly<Record<string, string>> | undefined
}

/** The whole environment of a new program: the host's without secrets, who we are, then what the caller asked for. */
export function programEnvironment({ host, settings, requested = {} }: EnvironmentSources): Record<string, string> {
  const passed = new Set(settings.pass_env)
  const inherited = Object.entries(host).filter(
    ([name]) => passed.has(name) || !(OF_THE_HOST.has(name) || DENIED_PATTERN.test(name))
  )
  const environment = new Map<string, string>()
  for (const [name, value] of inherited) if (value !== undefined) environment.set(name, value)
  environment.delete('TERM_PROGRAM_VERSION')
  environment.set('TERM', settings.term).set('TERM_PROGRAM', 'tandem').set('COLORTERM', 'truecolor')
  for (const [name, value] of Object.entries(requested)) environment.set(checkedName(name), checkedValue(name, value))
  for (const name of NEVER_PASSED) environment.delete(name)
  return Object.fromEntries(environment)
}

function checkedName(name: string): string {
  if (VARIABLE_NAME.test(name)) return name
  throw new AppError(
    'INVALID_ARGUMENTS',
    `env has the name ${quote(name)}`,
    'Names are letters, digits and "_", not starting with a digit.'
  )
}

function checkedValue(name: string, value: string): string {
  if (!value.includes('\0')) return value
  throw new AppError('INVALID_ARGUMENTS', `env "${name}" holds a NUL character`, 'Leave NUL characters out.')
}
