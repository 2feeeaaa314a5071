import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const KINDS = ['bash', 'zsh', 'fish'] as const
/** Shells in whose line editor a line can be put by a key of ours. */
export type LoadingShell = (typeof KINDS)[number]

/** Where a line lies ready for a shell that we set up, for nobody but the owner and only until it was taken. */
export class ShellInput {
  /** So long is what the file may still hold of ours; undefined before there is one. */
  #length: number | undefined

  constructor(
    readonly kind: LoadingShell,
    private readonly path: string
  ) {}

  /**
   * Commands of the shell itself: they put the line where a typed one would be. At once, over what was there: to hand a
   * few bytes to another thread and back, or to make and remove or shorten a file, takes longer than a short command.
   */
  put(script: string): void {
    const bytes = Buffer.from(script)
    if (!this.#overwrite(bytes)) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      writeFileSync(this.path, bytes, { mode: 0o600 })
    }
    this.#length = bytes.length
  }

  clear(): void {
    if (this.#length) this.#overwrite(Buffer.alloc(0))
    this.#length &&= 0
  }

  /** What is left of a longer one becomes empty lines. False: there is no file. */
  #overwrite(bytes: Buffer): boolean {
    if (this.#length === undefined) return false
    const rest = Buffer.alloc(Math.max(0, this.#length - bytes.length), '\n')
    try {
      writeFileSync(this.path, Buffer.concat([bytes, rest]), { flag: 'r+' })
      return true
    } catch (failure) {
      if (isMissing(failure)) return false
      throw failure
    }
  }
}

function isMissing(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'
}

/** Which of the shells a program is; undefined for any other. */
export function loadingShellOf(program: string): LoadingShell | undefined {
  return KINDS.find((kind) => kind === basename(program))
}
