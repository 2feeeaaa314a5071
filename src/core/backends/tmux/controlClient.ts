import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { AppError } from '../../../shared/errors'
import { type Block, ControlParser } from './controlParser'
import { commandLine, type Sequence } from './quote'

/**
 * tmux answers in 0.1 ms; past this it hangs, and nobody can say whether the command will still run. Callers are told
 * within 3 s, so a little is left for the way back to them.
 */
export const COMMAND_TIMEOUT_MS = 2_900
/** A host that was itself stopped reads what waits for it before it blames tmux. */
const CATCH_UP_MS = 500

export interface Reply {
  /** Everything the commands printed, in order. */
  lines: string[]
  /** What tmux said when it refused one; those after it did not run. */
  refusal: string | undefined
}

interface Request {
  mark: string
  reply: Reply
  sentAt: number
  settle: ((outcome: Reply | AppError) => void) | undefined
}

export interface ControlClientOptions {
  child: ChildProcessWithoutNullStreams
  onNotification(line: string): void
  onClosed(): void
  timeoutMs?: number
}

/**
 * One connection to the tmux server over a control client's pipes. Each request is followed by a mark of ours on a line
 * of its own: everything up to the mark's answer belongs to the request, however many blocks tmux makes of it.
 */
export class ControlClient {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #nonce = randomBytes(8).toString('hex')
  readonly #timeoutMs: number
  #count = 0
  #pending: Request[] = []
  #closed = false

  constructor({ child, onNotification, onClosed, timeoutMs = COMMAND_TIMEOUT_MS }: ControlClientOptions) {
    this.#child = child
    this.#timeoutMs = timeoutMs
    const parser = new ControlParser({ block: (block) => this.#block(block), notification: onNotification })
    child.stdout.on('data', (chunk: Buffer) => parser.push(chunk))
    child.stdin.on('error', () => child.kill('SIGKILL'))
    child.on('error', () => this.#close(onClosed))
    child.on('close', () => this.#close(onClosed))
    child.stderr.resume()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Runs one sequence. A timeout leaves the outcome unknown; while one is unanswered nothing more is sent. */
  run(commands: Sequence): Promise<Reply> {
    if (this.#closed || this.#isStalled()) return Promise.reject(unresponsive('was not asked: it does not answer'))
    return new Promise((resolve, reject) => {
      const mark = `${this.#nonce}-${this.#count++}`
      const request: Request = {
        mark,
        reply: { lines: [], refusal: undefined },
        sentAt: performance.now(),
        settle: undefined
      }
      const line = typeof commands === 'string' ? commands : commandLine(commands)
      this.#child.stdin.write(`${line}\ndisplay-message -p ${mark}\n`)
      this.#pending.push(request)
      const timer = setTimeout(() => this.#timeout(request), this.#timeoutMs)
      request.settle = (outcome) => {
        clearTimeout(timer)
        request.settle = undefined
        if (outcome instanceof AppError) reject(outcome)
        else resolve(outcome)
      }
    })
  }

  /** Ends the client; the server and its sessions stay. */
  end(): void {
    this.#child.stdin.end()
    this.#child.kill('SIGTERM')
  }

  #isStalled(): boolean {
    const oldest = this.#pending[0]
    return oldest !== undefined && oldest.settle === undefined
  }

  #timeout(request: Request): void {
    const giveUp = () => request.settle?.(unresponsive(`did not answer within ${this.#timeoutMs} ms`))
    const lateMs = performance.now() - request.sentAt - this.#timeoutMs
    if (lateMs > CATCH_UP_MS) setTimeout(giveUp, CATCH_UP_MS)
    else giveUp()
  }

  // The answer to a request that was given up still arrives here, is matched by its mark, and dropped.
  #block({ refused, lines }: Block): void {
    const request = this.#pending[0]
    if (!request) return
    if (!refused && lines.length === 1 && lines[0] === request.mark) {
      this.#pending.shift()
      request.settle?.(request.reply)
    } else if (refused) request.reply.refusal ??= lines.join('\n')
    else request.reply.lines.push(...lines)
  }

  #close(onClosed: () => void): void {
    if (this.#closed) return
    this.#closed = true
    for (const request of this.#pending.splice(0)) request.settle?.(unresponsive('closed the connection'))
    onClosed()
  }
}

export function unresponsive(what: string): AppError {
  return new AppError(
    'TMUX_UNRESPONSIVE',
    `tmux ${what}; whether the last command took effect is not known`,
    'Nothing was removed. Look again in a moment; if it stays so, the tmux server hangs.'
  )
}
