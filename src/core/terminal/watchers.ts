import type { Agent } from '../../shared/terminal'

/** An agent that has not read for so long looks no more. */
const QUIET_MS = 60_000
/** Who calls itself what is up to the client: the longest quiet goes first. */
const MAX_WATCHERS = 16

interface Look {
  agent: Agent
  /** Reads and subscriptions of it that are under way. */
  open: number
  untilMs: number
}

/** The agents that look at one terminal: while a read or a subscription lasts, and a while after. */
export class Watchers {
  readonly #looks = new Map<string, Look>()
  readonly #changed: () => void
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined

  /** `changed` is called when somebody comes or goes, never for one who reads again. */
  constructor(changed: () => void, now: () => number = Date.now) {
    this.#changed = changed
    this.#now = now
  }

  /** In the order in which they came. */
  get agents(): Agent[] {
    return [...this.#looks.values()].map(({ agent }) => agent)
  }

  /** Begins a look; returns how to end it. */
  look(agent: Agent): () => void {
    const look = this.#looks.get(agent.key) ?? this.#come(agent)
    look.open += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      look.open -= 1
      this.#rest(look)
    }
  }

  /** It typed: what it read before that was no mere looking. */
  typed({ key }: Agent): void {
    const look = this.#looks.get(key)
    if (look && look.open === 0) this.#go([look])
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#looks.clear()
  }

  #come(agent: Agent): Look {
    const look: Look = { agent, open: 0, untilMs: Number.POSITIVE_INFINITY }
    const [quietest] = [...this.#looks.values()].sort((one, other) => one.untilMs - other.untilMs)
    if (quietest && this.#looks.size >= MAX_WATCHERS) this.#looks.delete(quietest.agent.key)
    this.#looks.set(agent.key, look)
    this.#changed()
    return look
  }

  #rest(look: Look): void {
    look.untilMs = look.open > 0 ? Number.POSITIVE_INFINITY : this.#now() + QUIET_MS
    if (look.open === 0) this.#timer ??= setTimeout(() => this.#lookAgain(), QUIET_MS).unref()
  }

  // One timer for many reads: it looks again when the next of them may be over.
  #lookAgain(): void {
    this.#timer = undefined
    const nowMs = this.#now()
    this.#go([...this.#looks.values()].filter(({ untilMs }) => untilMs <= nowMs))
    const nextMs = Math.min(...[...this.#looks.values()].map(({ untilMs }) => untilMs))
    if (Number.isFinite(nextMs)) this.#timer = setTimeout(() => this.#lookAgain(), nextMs - nowMs).unref()
  }

  #go(looks: readonly Look[]): void {
    for (const { agent } of looks) this.#looks.delete(agent.key)
    if (looks.length > 0) this.#changed()
  }
}
