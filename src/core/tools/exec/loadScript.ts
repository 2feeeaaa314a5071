import type { LoadingShell } from '../../terminal/shellInput'
import { fishQuoted, quoted } from './quoted'

export interface Load {
  text: string
  env: Readonly<Record<string, string>>
}

/** What a shell reads when our key is pressed: it puts the line where a typed one would be, with what holds for it alone. */
export function loadScript(shell: LoadingShell, { text, env }: Load): string {
  const names = Object.keys(env)
  const lines = names.map((name) => SET[shell](name, env[name] ?? ''))
  return `${[BEGIN[shell], ...lines, PUT[shell](text)].join('\n')}\n`
}

/** Ends what held for the last line alone, and nothing else. */
export function unloadScript(shell: LoadingShell): string {
  return `${BEGIN[shell]}\n`
}

const BEGIN: Record<LoadingShell, string> = { bash: '__tandem_undone', zsh: '__tandem_undone', fish: '__tandem_undone' }

const SET: Record<LoadingShell, (name: string, value: string) => string> = {
  bash: (name, value) => `__tandem_saved ${name}; export ${name}=${quoted(value)}`,
  zsh: (name, value) => `__tandem_saved ${name}; typeset -gx ${name}=${quoted(value)}`,
  fish: (name, value) => `__tandem_saved ${name}; set -gx ${name} ${fishQuoted(value)}`
}

const PUT: Record<LoadingShell, (text: string) => string> = {
  // Between the lines of one text bash runs its hooks; what holds for all of them is undone when we say so.
  bash: (text) => `__tandem_put ${quoted(text)} ${text.includes('\n') ? 'later' : ''}`,
  zsh: (text) => `__tandem_put ${quoted(text)}`,
  fish: (text) => `__tandem_put ${fishQuoted(text)}`
}
