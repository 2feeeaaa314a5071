import { closeSync, constants, openSync, readSync } from 'node:fs'
import { constants as osConstants } from 'node:os'
import { spawn } from 'node-pty'
import { AppError } from '../../../shared/errors'
import type { ExitStatus } from '../../../shared/terminal'
import type { Logger } from '../../log'
import type { Backend, BackendListener, BackendTerminal, LivingTerminal, ProgramSpec } from '../backend'
import { SmallPrograms } from '../smallPrograms'
import { GatheredOutput } from './gatheredOutput'
import { type PtyParts, PtyTerminal, type UnixPty } from './ptyTerminal'

const DRAIN_BYTES = 65_536
const DEFAULT_TERM = 'xterm-256color'

/** Programs in ptys of this process: no tmux needed, and no program outlives the host. */
export class PtyBackend implements Backend {
  readonly kind = 'pty'
  readonly #terminals = new Set<PtyTerminal>()
  readonly #userUmask: number
  readonly #parts: PtyParts

  constructor({ userUmask, log }: { userUmask: number; log: Logger }) {
    this.#userUmask = userUmask
    this.#parts = { programs: new SmallPrograms(), log }
  }

  async start(): Promise<void> {
    // ptys need nothing that could be missing
  }

  async create(spec: ProgramSpec, listener: BackendListener): Promise<BackendTerminal> {
    const pty = this.#spawn(spec)
    const output = new GatheredOutput({
      // What the socket has read already and not yet told of comes first.
      readMore: (into) => (pty._socket._readableState.length > 0 ? 0 : readOrNothing(pty.fd, into)),
      pass: (bytes) => listener.output(bytes)
    })
    const terminal = new PtyTerminal(pty, this.#parts)
    const release = heldOrEnded(pty, { output: (bytes) => output.push(bytes), closing: () => terminal.ended() })
    this.#terminals.add(terminal)
    // Without a decoder these are Buffers, whatever the typings say.
    pty.onData((data) => output.push(data as unknown as Buffer))
    pty.onExit((exit) => {
      release()
      output.flush()
      this.#terminals.delete(terminal)
      listener.exited(exitStatus(exit))
    })
    return terminal
  }

  async list(): Promise<LivingTerminal[]> {
    return []
  }

  adopt(living: LivingTerminal): Promise<BackendTerminal> {
    return Promise.reject(
      new AppError('SESSION_ERROR', `Terminal "${living.tmuxSession}" ended with the host that held it`)
    )
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#terminals].map((terminal) => terminal.kill()))
    await this.#parts.programs.stop()
  }

  #spawn({ command, cwd, env, size }: ProgramSpec): UnixPty {
    const [program, ...args] = command
    const ownUmask = process.umask(this.#userUmask)
    try {
      const options = { cwd, env: environmentFor(env), name: env.TERM ?? DEFAULT_TERM, ...size, encoding: 'utf8' }
      // On the systems Tandem runs on, node-pty always makes its Unix terminal.
      return inBytes(spawn(program, args, options) as unknown as UnixPty)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new AppError('PTY_ERROR', `Cannot start "${program}": ${reason}`, undefined, { cause })
    } finally {
      process.umask(ownUmask)
    }
  }
}

function environmentFor(env: ProgramSpec['env']): Record<string, string> {
  return { ...env, TERM_PROGRAM: 'tandem', COLORTERM: 'truecolor' }
}

/**
 * Asked for UTF-8, node-pty tells the kernel too, which then erases whole characters for programs that read lines. Its
 * own decoder is taken away: characters are nobody's business on the way, and strings halve the speed of wide ones.
 */
function inBytes(pty: UnixPty): UnixPty {
  const state = pty._socket._readableState
  state.decoder = null
  state.encoding = null
  return pty
}

/** Who hears of the end of a pty: what it still holds, then that its descriptor closes. */
interface Tail {
  output(bytes: Buffer): void
  closing(): void
}

/**
 * node-pty gives the last bytes of a short program 200 ms and then drops them. We keep the terminal's other end open,
 * so that nothing is thrown away by the kernel, and read what is left before its socket goes.
 */
function holdTail(pty: UnixPty, { output, closing }: Tail): () => void {
  const otherEnd = openSync(pty.ptsName, constants.O_RDWR | constants.O_NOCTTY)
  const destroy = pty._socket.destroy.bind(pty._socket)
  pty._socket.destroy = () => {
    // Once: afterwards the descriptor may be another's.
    pty._socket.destroy = destroy
    // What a held-back socket has read already; it announces these bytes like any others.
    while (pty._socket.read() !== null);
    for (const bytes of remaining(pty.fd)) output(bytes)
    closing()
    destroy()
  }
  return () => closeSync(otherEnd)
}

// A program that could not be heard to its end is not left alone with nobody to hear it.
function heldOrEnded(pty: UnixPty, tail: Tail): () => void {
  try {
    return holdTail(pty, tail)
  } catch (cause) {
    pty.kill('SIGKILL')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('PTY_ERROR', `The terminal of the program cannot be opened: ${reason}`, undefined, { cause })
  }
}

function* remaining(descriptor: number): Generator<Buffer> {
  for (;;) {
    const buffer = Buffer.allocUnsafe(DRAIN_BYTES)
    const length = readOrNothing(descriptor, buffer)
    if (length === 0) return
    yield buffer.subarray(0, length)
  }
}

// EAGAIN: all is read. EIO and EBADF: the other side, or the descriptor, is gone already.
function readOrNothing(descriptor: number, buffer: Buffer): number {
  try {
    return readSync(descriptor, buffer)
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
    if (code === 'EAGAIN' || code === 'EIO' || code === 'EBADF') return 0
    throw failure
  }
}

function exitStatus({ exitCode, signal }: { exitCode: number; signal?: number }): ExitStatus {
  if (!signal) return { exitCode, signal: null }
  const name = Object.entries(osConstants.signals).find(([, number]) => number === signal)?.[0]
  return { exitCode: null, signal: name ?? `SIG${signal}` }
}
