import { basename, join } from 'node:path'
import type { ProgramSpec } from '../backends/backend'

/** Read and taken out of the environment by our scripts before anything else runs. */
const NONCE_VARIABLE = 'TANDEM_SHELL_NONCE'
const INPUT_VARIABLE = 'TANDEM_SHELL_INPUT'
const USER_ZDOTDIR_VARIABLE = 'TANDEM_USER_ZDOTDIR'

export interface ShellIntegration {
  /** The folder with our scripts for the shells. */
  scripts: string
  nonce: string
  /** Where an agent's line lies for it. */
  input: string
}

type Started = Pick<ProgramSpec, 'command' | 'env'>

/** How a shell is told to load our script after the user's own files; none of those is touched. */
const SHELLS: Record<string, (started: Started, scripts: string) => Started> = {
  bash: ({ command, env }, scripts) => ({ command: [command[0], '--rcfile', join(scripts, 'tandem.bash')], env }),
  zsh: ({ command, env }, scripts) => ({
    // -i says nothing new to a shell on a terminal; by it we know ours from one that took its place.
    command: [command[0], '-i', ...loginOption()],
    env: {
      ...env,
      ZDOTDIR: join(scripts, 'zsh'),
      ...(env.ZDOTDIR === undefined ? {} : { [USER_ZDOTDIR_VARIABLE]: env.ZDOTDIR })
    }
  }),
  fish: ({ command, env }, scripts) => ({
    command: [command[0], ...loginOption(), '-C', `source ${quoted(join(scripts, 'tandem.fish'))}`],
    env
  })
}

/** Terminals of macOS run login shells, which is where its users set their PATH. */
function loginOption(): string[] {
  return process.platform === 'darwin' ? ['-l'] : []
}

/** The program as it is to be started so that it tells about its commands; undefined for one that cannot. */
export function integrated(
  { command, env }: Started,
  { scripts, nonce, input }: ShellIntegration
): Started | undefined {
  // With arguments it is somebody's own way to start a shell, or not interactive at all.
  const shell = command.length === 1 ? SHELLS[basename(command[0])] : undefined
  return shell?.({ command, env: { ...env, [NONCE_VARIABLE]: nonce, [INPUT_VARIABLE]: input } }, scripts)
}

/** Whether these words started a shell of ours, and not one that took its place by `exec`. */
export function isOurShell(words: readonly string[]): boolean {
  return words.slice(1).some((word) => word === '--rcfile' || word === '-i' || word === '-C')
}

function quoted(path: string): string {
  return `'${path.replace(/['\\]/g, '\\$&')}'`
}
