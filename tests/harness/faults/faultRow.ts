import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Random, seededRandom } from './random'

// One code for both counts: `npm test` takes `quick`, `npm run soak` (TANDEM_FAULT_SCALE=full) takes `full`.

const { TANDEM_FAULT_SCALE, TANDEM_FAULT_SEED, TANDEM_SEED, TANDEM_FAULT_ROWS } = process.env
const { TANDEM_FAULT_MINUTES, TANDEM_FAULT_REPORT } = process.env
const IS_FULL = TANDEM_FAULT_SCALE === 'full'
const SEED = Number(TANDEM_FAULT_SEED ?? TANDEM_SEED ?? (IS_FULL ? Date.now() % 1_000_000 : 4711))
// A soak's minutes are for each fault, so that the last one gets its share too.
const MAX_MS = TANDEM_FAULT_MINUTES ? Number(TANDEM_FAULT_MINUTES) * 60_000 : Number.POSITIVE_INFINITY
const ROWS = TANDEM_FAULT_ROWS?.split(',')
// For code that hangs: a minute more than anything here takes on a busy machine, or as long as a soak may run.
const LIMIT_MS = IS_FULL ? 7 * 24 * 3_600_000 : 300_000

/** Where the programs run while the fault is injected. */
export type Place = 'tmux' | 'pty'

/** For faults that must cost nothing, whatever keeps the programs. */
export const BOTH_PLACES: readonly Place[] = ['tmux', 'pty']

export interface FaultRow {
  /** The row of the fault table, as `B1`. */
  id: string
  fault: string
  quick: number
  full: number
  /** Absent: tmux alone. */
  places?: readonly Place[]
  /** Most of it is waiting: in `npm test` its places wait at the same time. */
  waits?: boolean
  /** What keeps this machine from injecting the fault; undefined when it can. */
  missing?: string | undefined
}

/** The rounds of one row: how many, with which randomness, and what was lost. */
export class Injection {
  readonly random: Random = seededRandom(SEED)
  readonly isFull = IS_FULL
  readonly losses: string[] = []
  readonly notes: Record<string, number> = {}
  readonly #startedMs = performance.now()
  readonly #breaches = new Map<string, { count: number; worst: number; max: number }>()
  done = 0

  constructor(
    readonly wanted: number,
    readonly place: Place = 'tmux'
  ) {}

  /** Counts a round when it has been gone through; ends early when a soak's time is up. */
  *rounds(count = this.wanted): Generator<number> {
    for (let round = 0; round < count && !this.isOver; round += 1) {
      yield round
      this.did()
    }
  }

  did(): void {
    this.done += 1
  }

  /** A soak's time is up; at least one round is always done. */
  get isOver(): boolean {
    return this.done > 0 && performance.now() - this.#startedMs >= MAX_MS
  }

  loss(what: string): void {
    this.losses.push(what)
  }

  /** Keeps the largest value seen, for the table. */
  note(name: string, value: number): void {
    this.notes[name] = Math.max(this.notes[name] ?? Number.NEGATIVE_INFINITY, Math.round(value))
  }

  /** Notes a value that may not be above `max`: a loss in a soak alone, for `npm test` also runs on busy machines. */
  limit(name: string, value: number, max: number): void {
    this.note(name, value)
    if (!IS_FULL || value <= max) return
    const { count, worst } = this.#breaches.get(name) ?? { count: 0, worst: value }
    this.#breaches.set(name, { count: count + 1, worst: Math.max(worst, value), max })
  }

  /** One line for each limit that did not hold. */
  breaches(): string[] {
    const lines = [...this.#breaches].map(([name, { count, worst, max }]) => {
      return `${name} was above ${max} ${count} times, at worst ${worst.toFixed(1)}`
    })
    return lines.map((line) => `${line} (in ${this.done} rounds, ${this.place})`)
  }
}

export function faultTest(row: FaultRow, work: (injection: Injection) => Promise<void>): void {
  const inEach = () => {
    for (const place of row.places ?? ['tmux']) faultTestIn(place, row, work)
  }
  // A soak measures too: there nothing runs beside it.
  if (row.waits && !IS_FULL) describe.concurrent('at the same time', inEach)
  else inEach()
}

function faultTestIn(place: Place, row: FaultRow, work: (injection: Injection) => Promise<void>): void {
  const isAsked = ROWS === undefined || ROWS.includes(row.id)
  if (isAsked && row.missing !== undefined) reportMissing(row, place)
  test.skipIf(!isAsked || row.missing !== undefined)(
    `${row.id} ${row.fault} (${place})`,
    { timeout: LIMIT_MS },
    async () => {
      const injection = new Injection(IS_FULL ? row.full : row.quick, place)
      const startedMs = performance.now()
      // One that does not come to its end leaves this behind.
      report(row, { place, rounds: 0, losses: ['it was broken off'], notes: {} })
      try {
        await work(injection)
      } catch (failure) {
        injection.loss(`round ${injection.done}: ${failure instanceof Error ? failure.stack : String(failure)}`)
      }
      injection.losses.push(...injection.breaches())
      injection.note('seconds', (performance.now() - startedMs) / 1000)
      const { done: rounds, losses, notes } = injection
      report(row, { place, rounds, losses, notes })
      expect(injection.losses, `seed ${SEED}`).toEqual([])
    }
  )
}

/** A fault that this machine cannot have stands in the table with the reason, not as one that cost nothing. */
function reportMissing(row: FaultRow, place: Place): void {
  report(row, { place, rounds: 0, losses: [], notes: {}, missing: row.missing })
}

type Outcome = Pick<FaultRow, 'missing'> & {
  place: Place
  rounds: number
  losses: readonly string[]
  notes: Readonly<Record<string, number>>
}

function report({ id, fault }: FaultRow, outcome: Outcome): void {
  if (!TANDEM_FAULT_REPORT) return
  mkdirSync(TANDEM_FAULT_REPORT, { recursive: true })
  const name = `${id}-${fault.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${outcome.place}.json`
  const entry = { row: id, fault, ...outcome, seed: SEED }
  writeFileSync(join(TANDEM_FAULT_REPORT, name), `${JSON.stringify(entry, null, 2)}\n`)
}
