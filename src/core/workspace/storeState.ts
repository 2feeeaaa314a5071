import { z } from 'zod'
import { type BackendKind, backendKindSchema, type EndReason, endReasonSchema } from '../../shared/terminal'
import { type OpenedBy, openedBySchema } from '../backends/stamp'
import { cleanName } from './names'
import { isDamaged, withChecksum } from './storeChecksum'
import { migrated, STORE_VERSION } from './storeMigrations'

export const MAX_STORE_BYTES = 1_048_576
const MAX_CLOSED = 50
// Far above anything written here, far below what overflows a stack.
const MAX_DEPTH = 64
/** Each start begins a new range of output offsets, and so many fit into exact numbers. */
export const MAX_RESTARTS = 8000

/** Fields this version does not know; they are written back as they came. */
type Unknowns = Record<string, unknown>

/** One terminal as the file keeps it: nothing that only a living program knows. */
export interface StoredTerminal {
  id: string
  name: string
  tmuxSession: string
  created: string
  order: number
  backend: BackendKind
  cwd: string
  program: string
  /** How often it was started again. */
  restarts: number
  /** Proves that this host wrote what and where it ran; see RecordSeal. */
  seal?: string | undefined
  /** Absent: a person. */
  openedBy?: OpenedBy | undefined
  /** Where it was when it ended, with what ended then; until somebody gives the list another order. */
  place?: { at: string; order: number } | undefined
  unknowns: Unknowns
}

export interface EndedTerminal extends StoredTerminal {
  endedAt: string
  /** Why; what is not known here counts as closed. */
  reason?: string | undefined
}

export interface StoreState {
  sessions: StoredTerminal[]
  /** Terminals that are over, newest first. */
  ended: EndedTerminal[]
  lastModified: string
  /** The owner id of the host that wrote it last. */
  owner: string | undefined
  unknowns: Unknowns
}

/** A corrupt one has a state when it still reads; there is nothing better when no generation is left. */
export type ParsedStore =
  | { kind: 'ok'; state: StoreState }
  | { kind: 'future'; state: StoreState; version: number }
  | { kind: 'corrupt'; why: string; state?: StoreState | undefined }

const text = z.string().max(4096).transform(cleanLine)
const terminalSchema = z.object({
  id: z.guid().toLowerCase(),
  name: z.string().transform(cleanName),
  tmuxSession: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  created: z.string().max(64).transform(cleanLine),
  order: z.number(),
  backend: backendKindSchema.default('tmux'),
  cwd: text.default(''),
  program: text.default(''),
  restarts: z.number().int().min(0).max(MAX_RESTARTS).default(0),
  seal: z.string().max(128).optional(),
  openedBy: openedBySchema.optional(),
  place: z.object({ at: z.string().max(64), order: z.number() }).optional()
})
const endedSchema = terminalSchema.extend({
  endedAt: z.string().max(64).transform(cleanLine).default(''),
  reason: z.string().max(64).optional()
})
const storeSchema = z.object({
  version: z.number().int().min(1),
  sessions: z.array(z.unknown()),
  ended: z.array(z.unknown()).default([]),
  lastModified: z.string().max(64).default(''),
  owner: z.string().max(64).optional(),
  checksum: z.unknown().optional()
})
const DAMAGED =
  'it is not what was written: it was damaged, or changed by something else (who changes it must leave its checksum out)'

export function emptyState(): StoreState {
  return { sessions: [], ended: [], lastModified: '', owner: undefined, unknowns: {} }
}

/** Reads a store file's text as what it is: foreign data. Everything is checked; nothing in it is trusted or run. */
export function parseStore(content: string): ParsedStore {
  if (isTooDeep(content)) return { kind: 'corrupt', why: `it is nested deeper than ${MAX_DEPTH} levels` }
  try {
    const raw: unknown = JSON.parse(content)
    const store = readStore(migrated(raw))
    // What a newer version counts is not known here.
    return store.kind === 'ok' && isDamaged(raw) ? { kind: 'corrupt', why: DAMAGED, state: store.state } : store
  } catch (failure) {
    if (failure instanceof SyntaxError) return { kind: 'corrupt', why: 'it is not JSON' }
    if (failure instanceof z.ZodError) return { kind: 'corrupt', why: z.prettifyError(failure).split('\n', 1)[0] ?? '' }
    throw failure
  }
}

function readStore(raw: unknown): ParsedStore {
  const { version, sessions, ended, lastModified, owner } = storeSchema.parse(raw)
  const isFuture = version > STORE_VERSION
  const state: StoreState = {
    sessions: inOrder(readTerminals(sessions, terminalSchema, isFuture)),
    ended: kept(readTerminals(ended, endedSchema, isFuture)),
    lastModified,
    owner,
    unknowns: unknownsOf(raw, storeSchema.shape)
  }
  if (new Set(state.sessions.map(({ id }) => id)).size < state.sessions.length) {
    return { kind: 'corrupt', why: 'an id is there twice' }
  }
  return isFuture ? { kind: 'future', state, version } : { kind: 'ok', state }
}

// A newer version may hold terminals this one cannot read: the others are still shown.
function readTerminals<S extends typeof terminalSchema>(
  list: readonly unknown[],
  schema: S,
  skipUnreadable: boolean
): (z.infer<S> & { unknowns: Unknowns })[] {
  const readable = skipUnreadable ? list.filter((raw) => schema.safeParse(raw).success) : list
  // What tells of an end is no unknown in a record that has not ended: it is left over from an earlier end.
  return readable.map((raw) => ({ ...schema.parse(raw), unknowns: unknownsOf(raw, endedSchema.shape) }))
}

function unknownsOf(raw: unknown, known: object): Unknowns {
  if (typeof raw !== 'object' || raw === null) return {}
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !Object.hasOwn(known, name) && name !== '__proto__'))
}

/** The file's text: known fields first, then whatever came with it that is no known one. */
export function printStore(state: StoreState): string {
  const { unknowns, sessions, ended, lastModified, owner } = state
  const known = { version: STORE_VERSION, sessions: sessions.map(flat), ended: ended.map(flat), lastModified, owner }
  return `${JSON.stringify(withChecksum({ ...known, ...unknowns, ...known }), null, 2)}\n`
}

function flat({ unknowns, restarts, ...rest }: StoredTerminal): Unknowns {
  const known = { ...rest, ...(restarts > 0 ? { restarts } : {}) }
  return { ...known, ...unknowns, ...known }
}

/** Sorted, with orders 0..n-1. */
export function inOrder(sessions: readonly StoredTerminal[]): StoredTerminal[] {
  return numbered([...sessions].sort((a, b) => a.order - b.order))
}

function numbered(sessions: readonly StoredTerminal[]): StoredTerminal[] {
  return sessions.map((terminal, order) => ({ ...terminal, order }))
}

/** Why and when terminals went from the live list to the ended ones. */
export interface End {
  at: string
  reason(terminal: StoredTerminal): EndReason
  /** How many that nobody closed are kept, and never fewer than end now; absent: those that are there. */
  mostOffers?: number
}

/** The end of terminals that somebody closes now. */
export function closedNow(): End {
  return { at: new Date().toISOString(), reason: () => 'closed' }
}

/** Moves terminals from the live list to the ended ones, newest first; the rest keep their order, without gaps. */
export function withEnded(state: StoreState, gone: readonly StoredTerminal[], end: End): StoreState {
  const ids = new Set(gone.map(({ id }) => id))
  const ended = gone.map(({ place: _, ...terminal }) => ({
    ...terminal,
    endedAt: end.at,
    reason: end.reason(terminal)
  }))
  const others = state.ended.filter(({ id }) => !ids.has(id))
  return {
    ...state,
    sessions: numbered(state.sessions.filter(({ id }) => !ids.has(id))),
    ended: kept([...ended, ...others], Math.max(end.mostOffers ?? Number.POSITIVE_INFINITY, gone.length))
  }
}

/** Of ended terminals, newest first, those that are kept. What somebody closed never pushes out what is offered. */
function kept(ended: readonly EndedTerminal[], mostOffers = Number.POSITIVE_INFINITY): EndedTerminal[] {
  let offers = 0
  let closed = 0
  return ended.filter(({ reason }) =>
    endReasonOf(reason) === 'closed' ? closed++ < MAX_CLOSED : offers++ < mostOffers
  )
}

/** What a record says of its end; what is not known here counts as closed. */
export function endReasonOf(reason: string | undefined): EndReason {
  return endReasonSchema.catch('closed').parse(reason)
}

/**
 * Puts a terminal on the live list at its own place, or where the list ends, and before what ended with it and came after
 * it; it is ended no longer.
 */
export function withStarted(state: StoreState, record: StoredTerminal): StoreState {
  const sessions = state.sessions.filter(({ id }) => id !== record.id)
  const { at, order } = record.place ?? {}
  const followers = sessions.map(({ place }) => place && place.at === at && place.order > Number(order))
  const next = followers.indexOf(true)
  sessions.splice(next === -1 ? record.order : Math.min(record.order, next), 0, record)
  return { ...state, sessions: numbered(sessions), ended: state.ended.filter(({ id }) => id !== record.id) }
}

function cleanLine(value: string): string {
  return value.replace(/\p{Cc}/gu, '')
}

function isTooDeep(content: string): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < content.length; index += 1) {
    const character = content[index]
    if (isInString && character === '\\') index += 1
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '[' || character === '{')) depth += 1
    else if (!isInString && (character === ']' || character === '}')) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
