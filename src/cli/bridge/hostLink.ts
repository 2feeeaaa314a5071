import type { ChildProcess } from 'node:child_process'
import { BRIDGE_PATH } from '../../shared/bridge'
import { AppError } from '../../shared/errors'
import { EXIT_CODES } from '../exitCodes'
import { strings } from '../strings'
import { type HostAddress, open } from './exchange'
import type { RunningTime } from './runningTime'

/** How often a host that is not there is looked for. */
const LOOK_AGAIN_MS = 250
/** A host that cannot start is not started again at once. */
const NEXT_START_MS = 3000

export interface HostLinkOptions {
  time: Pick<RunningTime, 'ms' | 'wait'>
  headers: Readonly<Record<string, string>>
  find(): Promise<HostAddress | undefined>
  /** Starts a host that stays; undefined where there is none to start. `anyPort`: the one it wants is taken. */
  start(options: { anyPort: boolean }): Promise<ChildProcess | undefined>
}

/** The way to the host, whichever it is at the moment: finds it, starts one when a call needs one, and shows it that we live. */
export class HostLink {
  readonly #options: HostLinkOptions
  readonly #closed = new AbortController()
  readonly #attachedListeners = new Set<() => void>()
  #starting: ChildProcess | undefined
  #lastStartMs = Number.NEGATIVE_INFINITY
  #startFailure: string | undefined
  #isPortTaken = false
  #heardMs = Number.NEGATIVE_INFINITY

  constructor(options: HostLinkOptions) {
    this.#options = options
  }

  /** Called each time the host, or another one, has answered anew. */
  onAttached(listener: () => void): void {
    this.#attachedListeners.add(listener)
  }

  /** Shows the host that this bridge lives, for as long as it does. Never starts one: a person who stops the host means it. */
  async stayAttached(): Promise<void> {
    const { time, find } = this.#options
    const { signal } = this.#closed
    while (!signal.aborted) {
      // Whatever keeps us from being attached is told to the next call; here it is only tried again.
      const endpoint = await find().catch(() => undefined)
      if (endpoint) await this.#hold(endpoint).catch(() => undefined)
      await time.wait(LOOK_AGAIN_MS, signal)
    }
  }

  /** Whether the host gave a sign of life in this time. */
  wasHeard(withinMs: number): boolean {
    return this.#options.time.ms - this.#heardMs < withinMs
  }

  /** The host, which is started if need be; HOST_UNAVAILABLE when the time is over or it cannot start. */
  async reach(limitMs: number, signal: AbortSignal): Promise<HostAddress> {
    const { time, find } = this.#options
    const untilMs = time.ms + limitMs
    for (;;) {
      const endpoint = await find()
      if (endpoint) return endpoint
      await this.#startOnce()
      if (this.#startFailure !== undefined) throw unavailable(this.#startFailure)
      if (time.ms >= untilMs || signal.aborted) throw unavailable(strings.bridge.hostSlow)
      await time.wait(LOOK_AGAIN_MS / 2, signal)
    }
  }

  close(): void {
    this.#closed.abort()
  }

  async #hold(endpoint: HostAddress): Promise<void> {
    const call = { path: BRIDGE_PATH, headers: this.#options.headers, signal: this.#closed.signal }
    const response = await open(endpoint, call)
    if (response.statusCode !== 200) {
      response.destroy()
      return
    }
    this.#startFailure = undefined
    // Whatever becomes of this one: another may be started at once.
    this.#lastStartMs = Number.NEGATIVE_INFINITY
    let isFirst = true
    for await (const _ of response) {
      this.#heardMs = this.#options.time.ms
      if (isFirst) for (const listener of this.#attachedListeners) listener()
      isFirst = false
    }
  }

  async #startOnce(): Promise<void> {
    const { time, start } = this.#options
    if (this.#starting || time.ms - this.#lastStartMs < NEXT_START_MS) return
    this.#lastStartMs = time.ms
    this.#startFailure = undefined
    const child = await start({ anyPort: this.#isPortTaken })
    if (!child) {
      this.#startFailure = strings.bridge.noHostToStart
      return
    }
    this.#starting = child
    child.once('exit', (code) => this.#startedEnded(code))
    child.once('error', (failure) => {
      this.#starting = undefined
      this.#startFailure = strings.bridge.hostNotStarted(failure.message)
    })
  }

  #startedEnded(code: number | null): void {
    this.#starting = undefined
    if (code === EXIT_CODES.portBusy) this.#retryOnAnyPort()
    // Another one was quicker, or it served and was told to stop, or somebody killed it: one is looked for, and started, again.
    const isOver = code === null || code === EXIT_CODES.ok
    if (isOver || code === EXIT_CODES.portBusy || code === EXIT_CODES.hostRunning) return
    this.#startFailure = strings.bridge.hostEnded(String(code))
  }

  #retryOnAnyPort(): void {
    this.#isPortTaken = true
    this.#lastStartMs = Number.NEGATIVE_INFINITY
  }
}

function unavailable(reason: string): AppError {
  return new AppError('HOST_UNAVAILABLE', reason, strings.bridge.unavailableHint)
}
