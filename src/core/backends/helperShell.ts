import { type ChildProcess, spawn } from 'node:child_process'
import { AppError } from '../../shared/errors'

/**
 * Takes an errand a line: what to do, and the rest of the line as its words, which must hold nothing but the characters of
 * the host's own paths. Ends with the host: its input closes.
 */
const SCRIPT = `
while read -r what words; do
  case $what in
    modes) stty "$1" "$words" -a ;;
    fifos) mkfifo -m 600 $words ;;
  esac </dev/null 2>&1
  echo "errand ended $?"
done
`
const ENDED = /^errand ended (\d+)\n$/m
const DEVICE_OPTION = process.platform === 'darwin' ? '-f' : '-F'
const LIMIT_MS = 3_000
/** A host that was itself stopped reads what waits for it before it blames the shell. */
const CATCH_UP_MS = 500

/** `modes`: what `stty` says of this device. `fifos`: new ones that only this user can open, at these paths. */
export type Errand = { modes: string } | { fifos: readonly string[] }

/** One small shell that runs one program after the other, and how each of them ended. */
export class HelperShell {
  readonly #child: ChildProcess
  readonly #closed: Promise<void>
  #text = ''
  #settle: (outcome: string | AppError) => void = () => undefined
  #isOver = false
  #isDeaf = false

  constructor() {
    // In a group of its own: a key that ends the host is the host's to understand.
    this.#child = spawn('/bin/sh', ['-c', SCRIPT, 'tandem-helper', DEVICE_OPTION], {
      env: { PATH: `/bin:/usr/bin:${process.env.PATH ?? ''}`, LC_ALL: 'C' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore']
    })
    // Without descriptors to spare it has no streams, and says so with an error.
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#said(chunk.toString()))
    this.#child.stdout?.on('error', (failure: Error) => this.#over(failure.message))
    this.#child.stdin?.on('error', (failure: Error) => {
      this.#isDeaf = true
      this.#over(failure.message)
    })
    this.#closed = new Promise((resolve) => {
      this.#child.once('error', (failure) => resolve(this.#over(failure.message)))
      this.#child.once('close', () => resolve(this.#over('the shell ended')))
    })
  }

  /** It runs nothing any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** It was gone before it heard of the last errand. */
  get isDeaf(): boolean {
    return this.#isDeaf
  }

  /** What the program printed; rejects when it failed or did not end in good time. One errand at a time. */
  run(errand: Errand): Promise<string> {
    return new Promise((resolve, reject) => {
      let timer = setTimeout(() => {
        timer = setTimeout(() => this.#kill(), CATCH_UP_MS)
      }, LIMIT_MS - CATCH_UP_MS)
      this.#settle = (outcome) => {
        clearTimeout(timer)
        if (outcome instanceof AppError) reject(outcome)
        else resolve(outcome)
      }
      this.#child.stdin?.write(`${lineOf(errand)}\n`)
    })
  }

  /** Resolves when it is gone. */
  async end(): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#kill(), LIMIT_MS)
    await this.#closed
    clearTimeout(timer)
  }

  #said(text: string): void {
    this.#text += text
    const ended = ENDED.exec(this.#text)
    if (!ended) return
    const printed = this.#text.slice(0, ended.index)
    this.#text = ''
    this.#settle(ended[1] === '0' ? printed : failed(printed.trim()))
  }

  #over(why: string): void {
    this.#isOver = true
    this.#settle(failed(why))
  }

  /** With the program that does not end. */
  #kill(): void {
    this.#over(`no answer for ${LIMIT_MS} ms`)
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch (failure) {
      // Gone already, or nothing of it is left but what nobody has collected yet.
      if (!isOver(failure)) throw failure
    }
  }
}

function lineOf(errand: Errand): string {
  return 'modes' in errand ? `modes ${errand.modes}` : `fifos ${errand.fifos.join(' ')}`
}

function isOver(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && ['ESRCH', 'EPERM'].includes(String(failure.code))
}

function failed(why: string): AppError {
  return new AppError('IO_ERROR', `A small program of the host failed: "${why}"`, 'Try again.')
}
