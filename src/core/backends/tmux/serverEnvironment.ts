const ALLOWED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TMPDIR',
  'TMUX_TMPDIR',
  'XDG_RUNTIME_DIR',
  'TZ'
] as const

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * The environment tmux itself is started with. Its server keeps the first one it gets for ever and shows it to every
 * program, so only these names pass.
 */
export function serverEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = { PATH: FALLBACK_PATH, LANG: 'C.UTF-8' }
  for (const [name, value] of Object.entries(environment)) {
    if (value && isAllowed(name)) passed[name] = value
  }
  return passed
}

function isAllowed(name: string): boolean {
  return name.startsWith('LC_') || ALLOWED.some((allowed) => allowed === name)
}
