import type { LivingTerminal } from '../backends/backend'
import { cleanName } from './names'
import { type StoredTerminal, type StoreState, withEnded } from './storeState'

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

export interface ReconcileInput {
  state: StoreState
  /** Every living terminal with the exact stamp of this owner and workspace, from an answer without doubt. */
  living: readonly LivingTerminal[]
  /** Terminals this process holds, and that are not proved gone. */
  held: readonly StoredTerminal[]
  isHeld(id: string): boolean
  /** End living terminals without a record instead of adopting them. */
  killOrphans: boolean
}

export interface ReconcilePlan {
  state: StoreState
  gone: StoredTerminal[]
  adopted: StoredTerminal[]
  orphansToKill: LivingTerminal[]
  hasChanged: boolean
}

/** What a store must become so that it agrees with what lives. Decides; touches nothing. */
export function planReconcile(input: ReconcileInput, now: string): ReconcilePlan {
  const { state, living, held, isHeld, killOrphans } = input
  const livingById = new Map(living.map((one) => [one.stamp.id, one]))
  const recorded = new Set(state.sessions.map(({ id }) => id))
  const gone = state.sessions.filter(({ id }) => !livingById.has(id) && !isHeld(id))
  const orphans = living.filter(({ stamp }) => !recorded.has(stamp.id))
  const forgotten = held.filter(({ id }) => !recorded.has(id) && !livingById.has(id))
  const adopted = killOrphans ? [] : [...orphans.map((orphan) => recordOf(orphan, state.ended)), ...forgotten]
  const whole = withAdopted({ ...state, sessions: state.sessions.map((record) => proved(record, livingById)) }, adopted)
  const next = withEnded(whole, gone, now)
  const orphansToKill = killOrphans ? orphans : []
  return { state: next, gone, adopted, orphansToKill, hasChanged: !isSame(state, next) }
}

// The stamp, not the file, says which session a terminal is.
function proved(record: StoredTerminal, livingById: ReadonlyMap<string, LivingTerminal>): StoredTerminal {
  const living = livingById.get(record.id)
  return living ? { ...record, tmuxSession: living.tmuxSession } : record
}

// Each goes back to its own place; those around it keep theirs.
function withAdopted(state: StoreState, adopted: readonly StoredTerminal[]): StoreState {
  const ids = new Set(adopted.map(({ id }) => id))
  const sessions = [...state.sessions]
  for (const record of [...adopted].sort((a, b) => a.order - b.order)) sessions.splice(record.order, 0, record)
  return { ...state, sessions, ended: state.ended.filter(({ id }) => !ids.has(id)) }
}

/** A record made from a stamp; what an earlier record held beyond that comes back with it. */
export function recordOf(
  { stamp, tmuxSession }: LivingTerminal,
  ended: readonly StoredTerminal[] = []
): StoredTerminal {
  const { id, name, created, order, cwd, program } = stamp
  const { endedAt: _, ...unknowns } = ended.find((record) => record.id === id)?.unknowns ?? {}
  return { id, name: cleanName(name), tmuxSession, created, order, backend: 'tmux', cwd, program, unknowns }
}

function isSame(before: StoreState, after: StoreState): boolean {
  const facts = ({ sessions }: StoreState) => sessions.map(({ id, tmuxSession, order }) => [id, tmuxSession, order])
  return JSON.stringify(facts(before)) === JSON.stringify(facts(after))
}
