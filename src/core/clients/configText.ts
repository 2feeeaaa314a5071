import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../shared/errors'
import type { AgentClient } from './agentClients'
import { jsonWith, jsonWithout, parseJson } from './jsonText'
import { parseToml, tomlWays } from './tomlText'

type Entry = Readonly<Record<string, unknown>>
type Place = Pick<AgentClient, 'format' | 'key'> & { name: string }

export const BOM = '\ufeff'

/** The entry of this name; undefined when there is none. A file that cannot be read as its format is refused. */
export function entryIn(text: string, place: Place): unknown {
  const servers = fieldOf(place.format === 'toml' ? tomlOf(text) : jsonOf(text), place.key)
  return fieldOf(servers, place.name)
}

/** The text with this entry, or without it; everything else stays as it is, byte for byte. */
export function withEntry(text: string, place: Place, entry: Entry | undefined): string {
  if (isSame(entryIn(text, place), entry)) return text
  const bom = text.startsWith(BOM) ? BOM : ''
  for (const change of changedBodies(text.slice(bom.length), place, entry)) {
    const changed = bom + change()
    if (isRight(changed, { text, place, entry })) return changed
  }
  throw notAlone(place.name)
}

/** What we would write says something else than it should. */
export function notAlone(name: string): AppError {
  const hint = 'It was left as it is. Change it by hand.'
  return new AppError('INVALID_ARGUMENTS', `"${name}" cannot be changed without touching the rest of the file`, hint)
}

function isRight(
  changed: string,
  { text, place, entry }: { text: string; place: Place; entry: Entry | undefined }
): boolean {
  try {
    return isSame(entryIn(changed, place), entry) && isSame(restOf(text, place), restOf(changed, place))
  } catch (failure) {
    if (failure instanceof AppError) return false
    throw failure
  }
}

/** Ways to change the text, the one that touches least first. */
function changedBodies(body: string, place: Place, entry: Entry | undefined): (() => string)[] {
  if (place.format === 'toml') return tomlWays(body, place, entry)
  return [() => (entry === undefined ? jsonWithout(body, place) : jsonWith(body, place, entry))]
}

/** What is not ours, which must say the same afterwards whatever an editing library does. An empty list of servers says nothing. */
function restOf(text: string, { format, key, name }: Place): unknown {
  const { [key]: servers, ...rest } = objectOf(format === 'toml' ? tomlOf(text) : jsonOf(text))
  const { [name]: _, ...others } = objectOf(servers)
  return Object.keys(others).length === 0 ? rest : { ...rest, [key]: others }
}

/** Whether both say the same, whatever parser they come from. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

/** Parsers make objects of different kinds. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

/** What the text says; a file that is not JSON is refused. */
export function jsonOf(text: string): unknown {
  const body = text.startsWith(BOM) ? text.slice(BOM.length) : text
  if (body.trim() === '') return {}
  const value = parseJson(body)
  if (!isObject(value)) throw broken('JSON')
  return value
}

/** What the text says; a file that is not TOML is refused. */
export function tomlOf(text: string): unknown {
  try {
    return parseToml(text.startsWith(BOM) ? text.slice(BOM.length) : text)
  } catch (cause) {
    throw broken('TOML', cause)
  }
}

function broken(format: string, cause?: unknown): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `The file is not ${format}`,
    'It was left as it is. Mend it, then try again.',
    {
      cause
    }
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function fieldOf(value: unknown, name: string): unknown {
  if (value === undefined) return undefined
  if (!isObject(value))
    throw new AppError('INVALID_ARGUMENTS', `"${name}" has no place in the file`, 'It was left as it is.')
  return Object.hasOwn(value, name) ? value[name] : undefined
}
