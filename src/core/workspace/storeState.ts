import { z } from 'zod'
import { type BackendKind, backendKindSchema } from '../../shared/terminal'
import { cleanName } from './names'

export const STORE_VERSION = 1
export const MAX_STORE_BYTES = 1_048_576
const MAX_ENDED = 50
// Far above anything written here, far below what overflows a stack.
const MAX_DEPTH = 64

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
  unknowns: Unknowns
}

export interface StoreState {
  sessions: StoredTerminal[]
  /** Closed terminals, newest first. */
  ended: StoredTerminal[]
  lastModified: string
  /** The owner id of the host that wrote it last. */
  owner: string | undefined
  unknowns: Unknowns
}

export type ParsedStore =
  | { kind: 'ok'; state: StoreState }
  | { kind: 'future'; state: StoreState; version: number }
  | { kind: 'corrupt'; why: string }

const text = z.string().max(4096).transform(cleanLine)
const terminalSchema = z.object({
  id: z.guid().toLowerCase(),
  name: z.string().transform(cleanName),
  tmuxSession: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  created: z.string().max(64).transform(cleanLine),
  order: z.number(),
  backend: backendKindSchema.default('tmux'),
  cwd: text.default(''),
  program: text.default('')
})
const storeSchema = z.object({
  version: z.number().int().min(1).default(STORE_VERSION),
  sessions: z.array(z.unknown()),
  ended: z.array(z.unknown()).default([]),
  lastModified: z.string().max(64).default(''),
  owner: z.string().max(64).optional()
})

export function emptyState(): StoreState {
  return { sessions: [], ended: [], lastModified: '', owner: undefined, unknowns: {} }
}

/** Reads a store file's text as what it is: foreign data. Everything is checked; nothing in it is trusted or run. */
export function parseStore(content: string): ParsedStore {
  if (isTooDeep(content)) return { kind: 'corrupt', why: `it is nested deeper than ${MAX_DEPTH} levels` }
  try {
    return readStore(JSON.parse(content))
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
    sessions: inOrder(readTerminals(sessions, isFuture)),
    ended: readTerminals(ended, isFuture).slice(0, MAX_ENDED),
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
function readTerminals(list: readonly unknown[], skipUnreadable: boolean): StoredTerminal[] {
  const readable = skipUnreadable ? list.filter((raw) => terminalSchema.safeParse(raw).success) : list
  return readable.map((raw) => ({ ...terminalSchema.parse(raw), unknowns: unknownsOf(raw, terminalSchema.shape) }))
}

function unknownsOf(raw: unknown, known: object): Unknowns {
  if (typeof raw !== 'object' || raw === null) return {}
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !Object.hasOwn(known, name) && name !== '__proto__'))
}

/** The file's text: known fields first, then whatever came with it. */
export function printStore(state: StoreState): string {
  const { unknowns, sessions, ended, lastModified, owner } = state
  const known = { version: STORE_VERSION, sessions: sessions.map(flat), ended: ended.map(flat), lastModified, owner }
  return `${JSON.stringify({ ...known, ...unknowns }, null, 2)}\n`
}

function flat({ unknowns, ...known }: StoredTerminal): Unknowns {
  return { ...known, ...unknowns }
}

/** Sorted, with orders 0..n-1. */
export function inOrder(sessions: readonly StoredTerminal[]): StoredTerminal[] {
  return numbered([...sessions].sort((a, b) => a.order - b.order))
}

function numbered(sessions: readonly StoredTerminal[]): StoredTerminal[] {
  return sessions.map((terminal, order) => ({ ...terminal, order }))
}

/** Moves terminals from the live list to the ended ones, newest first; the rest keep their order, without gaps. */
export function withEnded(state: StoreState, gone: readonly StoredTerminal[], endedAt: string): StoreState {
  const ids = new Set(gone.map(({ id }) => id))
  const ended = gone.map((terminal) => ({ ...terminal, unknowns: { ...terminal.unknowns, endedAt } }))
  const others = state.ended.filter(({ id }) => !ids.has(id))
  return {
    ...state,
    sessions: numbered(state.sessions.filter(({ id }) => !ids.has(id))),
    ended: [...ended, ...others].slice(0, MAX_ENDED)
  }
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
