import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

const KINDS = ['bash', 'zsh', 'fish'] as const
/** Shells in whose line editor a line can be put by a key of ours. */
export type LoadingShell = (typeof KINDS)[number]

/** Where a line lies ready for a shell that we set up, for nobody but the owner and only until it was taken. */
export class ShellInput {
  constructor(
    readonly kind: LoadingShell,
    private readonly path: string
  ) {}

  /** Commands of the shell itself: they put the line where a typed one would be. */
  async put(script: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}`
    await writeFile(temporary, script, { mode: 0o600, flag: 'wx' })
    await rename(temporary, this.path)
  }

  async clear(): Promise<void> {
    await rm(this.path, { force: true })
  }
}

/** Which of the shells a program is; undefined for any other. */
export function loadingShellOf(program: string): LoadingShell | undefined {
  return KINDS.find((kind) => kind === basename(program))
}
