import type { Actor, Agent, ControlState, Person } from '../../shared/terminal'
import { humanHasControl, passwordPrompt } from './terminalErrors'

/** How long the keyboard stays with whoever pressed the last key. */
const LEASE_MS = 4_000
/** How often a keyboard that was taken is looked at: how long it may rest can be changed meanwhile. */
const IDLE_LOOK_MS = { atLeast: 1_000, atMost: 5_000 }

export interface ControlOptions {
  /** Whether the shell waits for a command now, as far as is known; never throws. */
  isAtPrompt(): Promise<boolean>
  /** Looks whether the program waits for something that only a person may type, and says so by `setNeedsPerson`. */
  look(): Promise<unknown>
  /** After so long without a key at a prompt a keyboard that was taken is given back; 0: never. */
  giveBackAfterMs(): number
  now?: () => number
}

interface Lease<T extends Actor> {
  actor: T
  sinceMs: number
  untilMs: number
}

/**
 * The gate before a terminal's keyboard. A person's key always goes through and keeps agents out for a while; agents
 * take turns, and what one of them writes as one piece is never mixed with another's.
 */
export class Control {
  readonly #isAtPrompt: () => Promise<boolean>
  readonly #look: () => Promise<unknown>
  readonly #giveBackAfterMs: () => number
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #typed: Lease<Person> | undefined
  #taken: { actor: Person; sinceMs: number } | undefined
  #written: Lease<Agent> | undefined
  #needsPerson = false
  #lastActivityMs = 0
  #hold: { key: string; wasInterrupted: boolean } | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #expiry: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined

  constructor({ isAtPrompt, look, giveBackAfterMs, now = Date.now }: ControlOptions) {
    this.#look = look
    this.#giveBackAfterMs = giveBackAfterMs
    this.#isAtPrompt = isAtPrompt
    this.#now = now
  }

  get state(): ControlState {
    const holder = this.#taken ?? this.#living(this.#typed) ?? this.#living(this.#written)
    return {
      holder: holder?.actor ?? null,
      since: holder ? new Date(holder.sinceMs).toISOString() : null,
      isTaken: this.#taken !== undefined,
      needsPerson: this.#needsPerson
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The person keeps the keyboard until it is given back, or has rested at a prompt for as long as is set. */
  take(actor: Person): void {
    this.#interrupt()
    this.#taken = { actor, sinceMs: this.#now() }
    this.active()
    this.#watchIdle()
    this.#changed()
  }

  giveBack(): void {
    if (!this.#taken && !this.#typed) return
    this.#taken = undefined
    this.#typed = undefined
    clearTimeout(this.#idle)
    this.#changed()
  }

  /** A person pressed a key. */
  typed(actor: Person): void {
    this.#interrupt()
    this.active()
    const before = this.#living(this.#typed)
    const isSame = before?.actor.name === actor.name
    this.#typed = this.#lease(actor, isSame ? before : undefined)
    if (!isSame) this.#changed()
  }

  /** Something happened that a person may be busy with: a key, or a new prompt to read. */
  active(): void {
    this.#lastActivityMs = this.#now()
  }

  setNeedsPerson(needsPerson: boolean): void {
    if (needsPerson === this.#needsPerson) return
    this.#needsPerson = needsPerson
    this.#changed()
  }

  /** Throws while agents may not type. */
  requireFree(): void {
    const { holder, since } = this.state
    if (holder?.kind === 'person') throw humanHasControl(holder.name, { since, isTaken: this.#taken !== undefined })
    if (this.#needsPerson) throw passwordPrompt()
  }

  /** One write of an agent, in its turn; inside the agent's own hold it is its turn already. */
  async write(agent: Agent, work: () => Promise<void>): Promise<void> {
    const write = async (): Promise<void> => {
      this.requireFree()
      await this.#look()
      this.requireFree()
      this.#wrote(agent)
      await work()
    }
    if (this.#hold?.key !== agent.key) return this.#inTurn(write)
    if (this.#hold.wasInterrupted) throw humanHasControl(this.state.holder?.name, { since: this.state.since })
    await write()
  }

  /**
   * Several writes of one agent as one piece: those of others wait. For the writes alone, not for waiting on what they
   * cause. A person's key ends it: the writes still to come are refused.
   */
  hold<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.requireFree()
      this.#hold = { key: agent.key, wasInterrupted: false }
      this.#wrote(agent)
      try {
        return await work()
      } finally {
        this.#hold = undefined
      }
    })
  }

  /** The terminal is over: nothing is timed any more. */
  close(): void {
    clearTimeout(this.#expiry)
    clearTimeout(this.#idle)
    this.#listeners.clear()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  #interrupt(): void {
    if (this.#hold) this.#hold.wasInterrupted = true
    this.#written = undefined
  }

  #wrote(agent: Agent): void {
    const before = this.#living(this.#written)
    const isSame = before?.actor.key === agent.key
    this.#written = this.#lease(agent, isSame ? before : undefined)
    if (!isSame) this.#changed()
  }

  #lease<T extends Actor>(actor: T, before: Lease<T> | undefined): Lease<T> {
    const nowMs = this.#now()
    this.#expiry ??= setTimeout(() => this.#expired(), LEASE_MS).unref()
    return { actor, sinceMs: before?.sinceMs ?? nowMs, untilMs: nowMs + LEASE_MS }
  }

  #living<T extends Actor>(lease: Lease<T> | undefined): Lease<T> | undefined {
    return lease && lease.untilMs > this.#now() ? lease : undefined
  }

  // One timer for many keys: it looks again when the newest lease will be over.
  #expired(): void {
    this.#expiry = undefined
    const untilMs = Math.max(this.#typed?.untilMs ?? 0, this.#written?.untilMs ?? 0)
    const leftMs = untilMs - this.#now()
    if (leftMs > 0) this.#expiry = setTimeout(() => this.#expired(), leftMs).unref()
    const [typed, written] = [this.#typed, this.#written]
    this.#typed = this.#living(typed)
    this.#written = this.#living(written)
    if (this.#typed !== typed || this.#written !== written) this.#changed()
  }

  #watchIdle(): void {
    clearTimeout(this.#idle)
    const { atLeast, atMost } = IDLE_LOOK_MS
    const waitMs = Math.min(Math.max(this.#restLeftMs(), atLeast), atMost)
    this.#idle = setTimeout(() => void this.#idled(), waitMs).unref()
  }

  async #idled(): Promise<void> {
    const isIdle = this.#restLeftMs() <= 0 && (await this.#isAtPrompt())
    if (!this.#taken) return
    if (isIdle) this.giveBack()
    else this.#watchIdle()
  }

  #restLeftMs(): number {
    const restMs = this.#giveBackAfterMs()
    return restMs === 0 ? Number.POSITIVE_INFINITY : this.#lastActivityMs + restMs - this.#now()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
