import { parse as parseToml, patch } from '@decimalturn/toml-patch'
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  findNodeAtOffset,
  modify,
  type ParseError,
  parse,
  parseTree
} from 'jsonc-parser'
import { AppError } from '../../shared/errors'
import type { AgentClient } from './agentClients'

type Entry = Readonly<Record<string, unknown>>
type Place = Pick<AgentClient, 'format' | 'key'> & { name: string }

const BOM = '\ufeff'

/** The entry of this name; undefined when there is none. A file that cannot be read as its format is refused. */
export function entryIn(text: string, place: Place): unknown {
  const servers = fieldOf(place.format === 'toml' ? tomlOf(text) : jsonOf(text), place.key)
  return fieldOf(servers, place.name)
}

/** The text with this entry, or without it; everything else stays as it is, byte for byte. */
export function withEntry(text: string, place: Place, entry: Entry | undefined): string {
  entryIn(text, place)
  const bom = text.startsWith(BOM) ? BOM : ''
  const body = text.slice(bom.length)
  return bom + (place.format === 'toml' ? tomlWith(body, place, entry) : jsonWith(body, place, entry))
}

/** Put in before what is there, so that no comment changes what it stands beside; the library alone would lay out its surroundings anew. */
function jsonWith(text: string, { key, name }: Place, entry: Entry | undefined): string {
  const base = text.trim() === '' ? '{}\n' : text
  const servers = objectOf(fieldOf(jsonOf(base), key))
  if (entry === undefined) {
    if (!Object.hasOwn(servers, name)) return base
    const isOnly = Object.keys(servers).length === 1
    return isOnly ? applyEdits(base, modify(base, [key], {}, {})) : jsonWithout(base, key, name)
  }
  const edits = modify(base, [key, name], entry, { getInsertionIndex: () => 0 })
  return applyEdits(
    base,
    edits.map((edit) => placed(edit, base)).map((edit) => ({ ...edit, content: laidOut(edit, base) }))
  )
}

/** Before the first property, where the library means the bracket before it: what stands between the two stays there. */
function placed(edit: Edit, text: string): Edit {
  if (!edit.content.endsWith(',')) return edit
  const around = findNodeAtOffset(parseTree(text) ?? noTree(), edit.offset - 1)
  return { ...edit, offset: around?.children?.[0]?.offset ?? edit.offset }
}

/** Takes out exactly what was put in: up to the next property, or from the one before when it is the last. */
function jsonWithout(text: string, key: string, name: string): string {
  const own = findNodeAtLocation(parseTree(text) ?? noTree(), [key, name])?.parent
  const all = own?.parent?.children ?? []
  const at = own ? all.indexOf(own) : -1
  const [previous, next] = [all[at - 1], all[at + 1]]
  if (!own) return text
  if (next) return text.slice(0, own.offset) + text.slice(next.offset)
  const start = previous ? previous.offset + previous.length : own.offset
  return text.slice(0, start) + text.slice(own.offset + own.length)
}

function noTree(): never {
  throw broken('JSON')
}

/** What is put in, over several lines when the file has several. */
function laidOut({ offset, content }: Edit, text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text.slice(0, offset)
  const isLaidOut = text.trimEnd().includes('\n') || text.trim() === '{}'
  if (!isLaidOut) return content
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const hasNext = content.endsWith(',')
  const isProperty = /^"(?:[^"\\]|\\.)*":/.test(content)
  const space = /\s*$/.exec(before)?.[0] ?? ''
  const own = /[^\r\n]*$/.exec(before)?.[0].match(/^[ \t]*/)?.[0] ?? ''
  const margin = hasNext || !isProperty ? own : own + unit
  const value = isProperty ? `{${content.replace(/,$/, '')}}` : content
  const lines = JSON.stringify(JSON.parse(value), undefined, unit).split('\n')
  const inner = isProperty ? lines.slice(1, -1).map((line) => line.slice(unit.length)) : lines
  const body = inner.join(`${eol}${margin}`)
  if (!isProperty) return body
  return hasNext ? `${body},${space || ' '}` : `${eol}${margin}${body}${eol}${own}`
}

/** A table of its own at the end reads best; where the file has its servers in another form, they are kept in that. */
function tomlWith(text: string, { key, name }: Place, entry: Entry | undefined): string {
  const { [key]: servers, ...rest } = objectOf(tomlOf(text))
  const { [name]: before, ...others } = objectOf(servers)
  if (entry === undefined) {
    return patch(text, Object.keys(others).length === 0 ? rest : { ...rest, [key]: others })
  }
  const wanted = { ...rest, [key]: { ...others, [name]: entry } }
  if (before === undefined) {
    const appended = withTable(text, `${key}.${name}`, entry)
    if (isSame(appended, wanted)) return appended
  }
  return patch(text, wanted)
}

function withTable(text: string, heading: string, entry: Entry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = [`[${heading}]`, ...Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)]
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${lines.join(eol)}${eol}`
}

function isSame(text: string, wanted: unknown): boolean {
  try {
    return JSON.stringify(sorted(parseToml(text))) === JSON.stringify(sorted(wanted))
  } catch {
    return false // this form does not fit into the file
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)])
  )
}

function jsonOf(text: string): unknown {
  const body = text.startsWith(BOM) ? text.slice(BOM.length) : text
  if (body.trim() === '') return {}
  const errors: ParseError[] = []
  const value: unknown = parse(body, errors, { allowTrailingComma: true })
  if (errors.length > 0 || !isObject(value)) throw broken('JSON')
  return value
}

function tomlOf(text: string): unknown {
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
