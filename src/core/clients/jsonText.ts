import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  findNodeAtOffset,
  modify,
  type Node,
  type ParseError,
  parse,
  parseTree
} from 'jsonc-parser'

interface Place {
  key: string
  name: string
}

/** White space and comments. */
const TRIVIA = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y

/** What the text says, comments and trailing commas allowed; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  return errors.length > 0 ? undefined : value
}

/** Put in before what is there, so that no comment changes what it stands beside; the library alone would lay out its surroundings anew. */
export function jsonWith(text: string, { key, name }: Place, entry: object): string {
  const base = text.trim() === '' ? '{}\n' : text
  const edits = modify(base, [key, name], entry, { getInsertionIndex: () => 0 })
  return applyEdits(
    base,
    edits.map((edit) => placed(edit, base)).map((edit) => ({ ...edit, content: laidOut(edit, base) }))
  )
}

/** An item more at the end of a list, laid out like those before it; a list that is not there is made. */
export function jsonWithItem(text: string, { key, name }: Place, item: object): string {
  const list = text.trim() === '' ? undefined : findNodeAtLocation(treeOf(text), [key, name])
  if (!list) return jsonWith(text, { key, name }, [item])
  const all = list.children ?? []
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return insert(text, list.offset + 1, JSON.stringify(item))
  const gap = text.slice(list.offset + 1, first.offset)
  const separator = gap.trim() === '' && gap.includes('\n') ? gap : ' '
  return insert(text, endOf(last), `,${separator}${itemText(item, text, separator)}`)
}

/** Takes the item out with the comma and white space that came with it; comments around it stay. */
export function jsonWithoutItem(text: string, { key, name }: Place, index: number): string {
  const all = findNodeAtLocation(treeOf(text), [key, name])?.children ?? []
  const [previous, own, next] = [all[index - 1], all[index], all[index + 1]]
  if (!own) return text
  const range = [own.offset, endOf(own)] as const
  if (previous) {
    const isPlain = /^\s*,\s*$/.test(text.slice(endOf(previous), own.offset))
    if (isPlain) return cut(text, [endOf(previous), endOf(own)])
  }
  const comma = commaAfter(text, endOf(next || !previous ? own : previous))
  if (comma === undefined) return cut(text, range)
  return cut(text, range, [comma, comma + 1 + (next ? spaceAfter(text, comma + 1) : 0)])
}

function insert(text: string, offset: number, content: string): string {
  return text.slice(0, offset) + content + text.slice(offset)
}

function itemText(item: object, text: string, separator: string): string {
  const margin = /\n([ \t]*)$/.exec(separator)?.[1]
  if (margin === undefined) return JSON.stringify(item)
  return JSON.stringify(item, undefined, unitOf(text))
    .split('\n')
    .join(`${eolOf(text)}${margin}`)
}

/** Takes out the property and its comma, and the white space that came with it; comments around it stay. */
export function jsonWithout(text: string, { key, name }: Place): string {
  const own = findNodeAtLocation(treeOf(text), [key, name])?.parent
  if (!own?.parent) return text
  const all = own.parent.children ?? []
  const [previous, next] = [all[all.indexOf(own) - 1], all[all.indexOf(own) + 1]]
  const comma = commaAfter(text, endOf(own))
  if (next && comma !== undefined) {
    return cut(text, [own.offset, endOf(own)], [comma, comma + 1 + spaceAfter(text, comma + 1)])
  }
  const start = own.offset - spaceBefore(text, own.offset)
  const before = comma === undefined && previous ? commaAfter(text, endOf(previous)) : comma
  const left = cut(text, [start, endOf(own)], ...(before === undefined ? [] : [[before, before + 1] as const]))
  const isAlone = !previous && text.slice(own.parent.offset + 1, start).trim() === ''
  return isAlone ? collapsed(left, own.parent.offset) : left
}

/** `{` and white space alone before `}`: as short as it was. */
function collapsed(text: string, offset: number): string {
  const end = offset + 1 + spaceAfter(text, offset + 1)
  return text[end] === '}' ? text.slice(0, offset + 1) + text.slice(end) : text
}

function cut(text: string, ...ranges: (readonly [start: number, end: number])[]): string {
  return ranges
    .toSorted(([one], [other]) => other - one)
    .reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text)
}

function commaAfter(text: string, offset: number): number | undefined {
  TRIVIA.lastIndex = offset
  const at = offset + (TRIVIA.exec(text)?.[0].length ?? 0)
  return text[at] === ',' ? at : undefined
}

function spaceAfter(text: string, offset: number): number {
  return /^\s*/.exec(text.slice(offset))?.[0].length ?? 0
}

function spaceBefore(text: string, offset: number): number {
  return /\s*$/.exec(text.slice(0, offset))?.[0].length ?? 0
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

/** Before the first property, where the library means the bracket before it: what stands between the two stays there. */
function placed(edit: Edit, text: string): Edit {
  if (!edit.content.endsWith(',')) return edit
  const around = findNodeAtOffset(treeOf(text), edit.offset - 1)
  return { ...edit, offset: around?.children?.[0]?.offset ?? edit.offset }
}

// Whoever comes here has parsed it already.
function treeOf(text: string): Node {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  if (!tree) throw new Error('There is no JSON in the text')
  return tree
}

/** What is put in, over several lines when the file has several. */
function laidOut({ offset, content }: Edit, text: string): string {
  const eol = eolOf(text)
  const before = text.slice(0, offset)
  const isLaidOut = text.trimEnd().includes('\n') || text.trim() === '{}'
  if (!isLaidOut) return content
  const unit = unitOf(text)
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

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** By how much the file indents. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}
