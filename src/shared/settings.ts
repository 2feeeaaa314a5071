import { z } from 'zod'
import { setting } from './setting'
import { WINDOW_SETTINGS } from './windowSettings'

/**
 * Every setting, declared once. The file (`config.json`), the environment (`TANDEM_` + upper case), the flags (`--` +
 * kebab case) and the docs are derived from this table. `allowed` completes the sentence "… must be".
 */
export const SETTINGS = {
  default_rows: setting(z.int().min(1).max(500), 24, 'a whole number from 1 to 500', 'Rows of a new terminal.'),
  default_cols: setting(z.int().min(2).max(1000), 80, 'a whole number from 2 to 1000', 'Columns of a new terminal.'),
  default_shell: setting(
    z.string(),
    '',
    'a path, or empty for $SHELL',
    'Shell of a new terminal; empty: $SHELL, else /bin/bash.'
  ),
  term: setting(
    z.string().regex(/^[A-Za-z0-9._+-]{1,64}$/),
    'xterm-256color',
    'a terminfo name',
    'TERM of a new terminal.'
  ),
  scrollback_limit: setting(
    z.int().min(0).max(1_000_000),
    10_000,
    'a whole number from 0 to 1000000',
    'Lines of history kept per terminal.'
  ),
  prompt_pattern: setting(
    z.string().min(1).max(1000),
    String.raw`\$\s*$|#\s*$|>\s*$`,
    'a regular expression in RE2 syntax (no look-around, no backreferences) of at most 1000 characters',
    'What a prompt looks like where the shell does not say.'
  ),
  max_sessions: setting(
    z.int().min(1).max(1000),
    10,
    'a whole number from 1 to 1000',
    'Running terminals that the pty toolset may have opened.'
  ),
  max_terminals: setting(z.int().min(1).max(10_000), 200, 'a whole number from 1 to 10000', 'Terminals in all.'),
  buffer_bytes: setting(
    z.int().min(4096).max(1_073_741_824),
    1_048_576,
    'a whole number from 4096 to 1073741824',
    'Bytes of output kept per terminal.'
  ),
  buffer_chunks: setting(
    z.int().min(1).max(1_000_000),
    10_000,
    'a whole number from 1 to 1000000',
    'Chunks of output kept per terminal.'
  ),
  backend: setting(z.enum(['auto', 'tmux', 'pty']), 'auto', 'auto, tmux or pty', 'Where programs run.'),
  orphans: setting(
    z.enum(['adopt', 'kill']),
    'adopt',
    'adopt or kill',
    'What happens to a living terminal of ours that has no record.'
  ),
  isolation: setting(z.enum(['medium']), 'medium', 'medium', 'How far exec terminals are held inside the project.'),
  persist_buffers: setting(z.boolean(), false, 'true or false', 'Keep output in the data directory across restarts.'),
  pass_env: setting(
    z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)),
    [] as string[],
    'a list of variable names',
    'Variables let through the environment filter.'
  ),
  clipboard_write: setting(
    z.enum(['deny', 'allow']),
    'deny',
    'deny or allow',
    'Whether a program may write to the clipboard.'
  ),
  log_level: setting(
    z.enum(['debug', 'info', 'warn', 'error']),
    'info',
    'debug, info, warn or error',
    'How much is logged.'
  ),
  ...WINDOW_SETTINGS
} as const

export type SettingName = keyof typeof SETTINGS
export type Settings = { [K in SettingName]: z.infer<(typeof SETTINGS)[K]['schema']> }

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

export function environmentName(name: SettingName): string {
  return `TANDEM_${name.toUpperCase()}`
}

export function flagName(name: SettingName): string {
  return `--${name.replaceAll('_', '-')}`
}
