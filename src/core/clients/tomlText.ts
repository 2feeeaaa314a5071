import { parse, patch } from '@decimalturn/toml-patch'

interface Place {
  key: string
  name: string
}
type Entry = Readonly<Record<string, unknown>>

/** What the text says; throws when it is no TOML. */
export function parseToml(text: string): unknown {
  return parse(text)
}

/**
 * Ways to put an entry in or take it out, the one that touches least first: its own table alone, else what a library
 * makes of it where the file has its servers in another form. Which of them is right is for the caller to see.
 */
export function tomlWays(text: string, place: Place, entry: Entry | undefined): (() => string)[] {
  const tables = ownTables(text, place)
  const patched = () => patch(text, wantedIn(text, place, entry))
  const [first] = tables
  if (first) return [() => withoutTables(text, tables, entry && printed(text, place, entry)), patched]
  return entry === undefined ? [patched] : [() => withTable(text, printed(text, place, entry)), patched]
}

function wantedIn(text: string, { key, name }: Place, entry: Entry | undefined): object {
  const { [key]: servers, ...rest } = Object.fromEntries(Object.entries(parse(text)))
  const { [name]: _, ...others } = Object.fromEntries(Object.entries(servers ?? {}))
  const next = entry === undefined ? others : { ...others, [name]: entry }
  return Object.keys(next).length === 0 ? rest : { ...rest, [key]: next }
}

interface Lines {
  start: number
  end: number
}

/** Where the entry's table stands, and the tables below it: from the heading to the last line before blanks, comments and the next one. */
function ownTables(text: string, { key, name }: Place): Lines[] {
  const quoted = (word: string) => `(?:${word}|"${word}"|'${word}')`
  const heading = new RegExp(`^[ \\t]*\\[[ \\t]*${quoted(key)}[ \\t]*\\.[ \\t]*${quoted(name)}[ \\t]*[\\].]`, 'gm')
  return [...text.matchAll(heading)].map(({ index }) => {
    const rest = text.slice(index)
    const next = /\n[ \t]*\[/.exec(rest)?.index ?? rest.length
    const trailing = /(?:\r?\n[ \t]*(?:#[^\n]*)?)*$/.exec(rest.slice(0, next))?.[0].length ?? 0
    return { start: index, end: index + next - trailing }
  })
}

/** Without the tables and the blank line before each; what stands for them comes in the place of the first. */
function withoutTables(text: string, tables: readonly Lines[], replacement: string | undefined): string {
  return tables.toReversed().reduce((rest, { start, end }) => {
    const isFirst = start === tables[0]?.start
    if (isFirst && replacement !== undefined) return rest.slice(0, start) + replacement + rest.slice(end)
    const before = rest.slice(0, start).replace(/(^|\n)[ \t]*\r?\n$/, '$1')
    const after = rest.slice(end).replace(/^\r?\n/, '')
    return before + after
  }, text)
}

function printed(text: string, { key, name }: Place, entry: Entry): string {
  const lines = Object.entries(entry).map(([field, value]) => `${field} = ${JSON.stringify(value)}`)
  return [`[${key}.${name}]`, ...lines].join(eolOf(text))
}

/** A table of its own at the end reads best. */
function withTable(text: string, table: string): string {
  const eol = eolOf(text)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${table}${eol}`
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
