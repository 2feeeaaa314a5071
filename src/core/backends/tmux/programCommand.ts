import { AppError } from '../../../shared/errors'
import type { ProgramSpec } from '../backend'

/** With these, a `tmux kill-server` typed in a tab would end every terminal, or the tab would claim to be tmux. */
const NEVER_PASSED = ['TMUX', 'TMUX_PANE', 'TERM_PROGRAM_VERSION']
/** tmux sets these itself, over what it was asked for; they go on the command line, which holds no secret. */
const SET_BY_TMUX = ['TERM', 'TERM_PROGRAM', 'SHELL', 'PWD']

/** The words that start a program with exactly its own environment, and the part of it that no command line shows. */
export function programCommand(
  { command, env }: Pick<ProgramSpec, 'command' | 'env'>,
  { term, globalNames }: { term: string; globalNames: readonly string[] }
): { words: string[]; environment: string[] } {
  const wanted: Record<string, string> = { TERM: term, TERM_PROGRAM: 'tandem', COLORTERM: 'truecolor', ...env }
  const inherited = [...globalNames, ...SET_BY_TMUX].filter((name) => !Object.hasOwn(wanted, name))
  const unset = [...new Set([...NEVER_PASSED, ...inherited])].flatMap((name) => ['-u', name])
  const onLine = SET_BY_TMUX.filter((name) => Object.hasOwn(wanted, name)).map((name) => `${name}=${wanted[name]}`)
  return {
    words: ['/usr/bin/env', ...unset, ...onLine, ...runnable(command)],
    environment: Object.entries(wanted)
      .filter(([name]) => !NEVER_PASSED.includes(name) && !SET_BY_TMUX.includes(name))
      .flatMap(([name, value]) => ['-e', assignment(name, value)])
  }
}

// env would take a program whose path has a "=" for one more variable.
function runnable(command: ProgramSpec['command']): string[] {
  return command[0].includes('=') ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...command] : [...command]
}

function assignment(name: string, value: string): string {
  if (name !== '' && !name.includes('=') && !`${name}${value}`.includes('\0')) return `${name}=${value}`
  throw new AppError('INVALID_ARGUMENTS', `The variable "${name}" cannot be set`, 'Leave out "=" in names and NUL.')
}
