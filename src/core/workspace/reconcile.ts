import { isDeepStrictEqual } from 'node:util'
import type { LivingTerminal } from '../backends/backend'
import { cleanName } from './names'
import { restartsBefore } from './offsetRanges'
import { type End, inOrder, type StoredTerminal, type StoreState, withEnded, withStarted } from './storeState'

export interface ReconcileSummary {
  removed: number
  killed: number
  adopted: number
}

export function summaryLine({ removed, killed, adopted }: ReconcileSummary): string {
  return `Reconciled: removed ${removed} orphan records, killed ${killed} orphan tmux sessions, adopted ${adopted}`
}

export function addSummaries(summaries: readonly ReconcileSummary[]): ReconcileSummary {
  const sum = (field: keyof ReconcileSummary) => summaries.reduce((total, summary) => total + summary[field], 0)
  return { removed: sum('removed'), killed: sum('killed'), adopted: sum('adopted') }
}

/** What is known about a record's program: it lives, it is proved gone, or neither can be said now. */
export type Presence = 'exists' | 'missing' | 'error'

export interface ReconcileInput {
  state: StoreState
  /** Every living terminal with the exact stamp of this owner and workspace. */
  living: readonly LivingTerminal[]
  /** Terminals this process holds and recorded itself, and that are not proved gone: no file makes orphans of them. */
  held: readonly StoredTerminal[]
  /** The ids of what lives in another workspace of the project: a move was not written down to its end here. */
  movedAway: ReadonlySet<string>
  /** Asked about records without a living terminal. */
  presenceOf(record: StoredTerminal): Presence
  /** End living terminals without a record instead of adopting them. */
  killOrphans: boolean
  end: End
  sealOf(record: StoredTerminal): string
}

export interface ReconcilePlan {
  state: StoreState
  gone: StoredTerminal[]
  /** Records of terminals that are in another list now. */
  moved: StoredTerminal[]
  /** Records that stay because nobody knows whether their programs live. */
  doubtful: StoredTerminal[]
  adopted: StoredTerminal[]
  orphansToKill: LivingTerminal[]
  hasChanged: boolean
}

/** What a store must become so that it agrees with what lives. Decides; touches nothing. */
export function planReconcile(input: ReconcileInput): ReconcilePlan {
  const { state, living, held, movedAway, presenceOf, killOrphans, sealOf } = input
  const livingById = new Map(living.map((one) => [one.stamp.id, one]))
  const recorded = new Set(state.sessions.map(({ id }) => id))
  const unseen = state.sessions.filter(({ id }) => !livingById.has(id))
  const moved = unseen.filter(({ id }) => movedAway.has(id))
  const elsewhere = new Set(moved)
  const gone = unseen.filter((record) => !elsewhere.has(record) && presenceOf(record) === 'missing')
  const doubtful = unseen.filter((record) => presenceOf(record) === 'error')
  const orphans = living.filter(({ stamp }) => !recorded.has(stamp.id))
  const forgotten = held.filter(({ id }) => !recorded.has(id) && !livingById.has(id))
  const ours = new Set(held.map(({ id }) => id))
  const orphansToKill = killOrphans ? orphans.filter(({ stamp }) => !ours.has(stamp.id)) : []
  const kept = orphans.filter((orphan) => !orphansToKill.includes(orphan))
  const found = kept.map((orphan) => sealed(recordOf(orphan, [...held, ...state.ended]), sealOf))
  const adopted = [...found, ...forgotten]
  const here = state.sessions.filter((record) => !elsewhere.has(record))
  const sessions = here.map((record) => proved(record, livingById.get(record.id), sealOf))
  const next = withEnded(withAdopted({ ...state, sessions }, adopted), gone, input.end)
  return { state: next, gone, moved, doubtful, adopted, orphansToKill, hasChanged: !isSame(state, next) }
}

/** An older generation, brought up to what the stamps of the living say: their names and places are newer. */
export function asStamped(state: StoreState, living: readonly LivingTerminal[]): StoreState {
  const stamps = new Map(living.map(({ stamp }) => [stamp.id, stamp]))
  const sessions = state.sessions.map((record) => {
    const { name, order } = stamps.get(record.id) ?? record
    return { ...record, name: cleanName(name), order }
  })
  return { ...state, sessions: inOrder(sessions) }
}

// The stamp, not the file, says which session a terminal is, and what runs in it.
function proved(
  record: StoredTerminal,
  living: LivingTerminal | undefined,
  sealOf: ReconcileInput['sealOf']
): StoredTerminal {
  if (!living) return record
  const { tmuxSession, program, cwd, restarts } = recordOf(living)
  return sealed({ ...record, tmuxSession, program, cwd, restarts, ...openerOf(living) }, sealOf)
}

function sealed(record: StoredTerminal, sealOf: ReconcileInput['sealOf']): StoredTerminal {
  return { ...record, seal: sealOf(record) }
}

// Each goes back to its own place; those around it keep theirs.
function withAdopted(state: StoreState, adopted: readonly StoredTerminal[]): StoreState {
  return [...adopted].sort((a, b) => a.order - b.order).reduce(withStarted, state)
}

/** A record made from a stamp; what an earlier record held beyond that comes back with it. */
export function recordOf(living: LivingTerminal, earlier: readonly StoredTerminal[] = []): StoredTerminal {
  const { stamp, tmuxSession, reservedOffset } = living
  const { id, name, created, order, cwd, program } = stamp
  const unknowns = earlier.find((record) => record.id === id)?.unknowns ?? {}
  const restarts = restartsBefore(reservedOffset)
  const known = { id, name: cleanName(name), tmuxSession, created, order, backend: 'tmux', cwd, program } as const
  return { ...known, restarts, ...openerOf(living), unknowns }
}

function openerOf({ stamp: { openedBy } }: LivingTerminal): Pick<StoredTerminal, 'openedBy'> {
  return openedBy ? { openedBy } : {}
}

function isSame(before: StoreState, after: StoreState): boolean {
  const facts = ({ sessions }: StoreState) => sessions.map(({ unknowns: _, name: __, ...record }) => record)
  return isDeepStrictEqual(facts(before), facts(after))
}
