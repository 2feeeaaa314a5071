import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryIn, withEntry } from './configText'
import { parseJson } from './jsonText'
import { parseToml } from './tomlText'

// Files as people have them, with anything in them that the formats allow: what is not ours is never touched.

const RUNS = { numRuns: 300 }
const entry = { command: '/usr/bin/node', args: ['/opt/tandem.js', 'mcp', '--data-dir', '/home/ü/"x"'] }
const other = { command: 'tandem', args: ['mcp'] }

interface Style {
  eol: string
  unit: string
  bom: string
  comma: string
  end: string
}
const style: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  unit: fc.constantFrom('  ', '\t', '    ', ''),
  bom: fc.constantFrom('', '\ufeff'),
  comma: fc.constantFrom('', ','),
  end: fc.constantFrom('', '\n', '\r\n', '\n\n')
})
const note = fc.constantFrom('', '', '// mine: { "a", }', '/* it\'s, } "mine" */', '// tandem')
const value = fc.constantFrom('1', 'null', '"a // b"', '[1, 2]', '{ "x": { "y": "}" } }', '"\\u00fc\\"ü"', '-1.50e3')
const name = fc.constantFrom('a', 'b', 'other', 'mcpServer', 'ümlaut', 'with space', 'x"y', '__proto__x')

type Property = [name: string, value: string, above: string, beside: string]
const properties = (most: number) =>
  fc.uniqueArray(fc.tuple(name, value, note, note) as fc.Arbitrary<Property>, {
    selector: ([key]) => key,
    maxLength: most
  })

/** An object over several lines, or in one, with comments above and beside its properties. */
function printed(all: readonly Property[], { eol, unit, comma }: Style, depth: number, isFlat: boolean): string {
  const margin = isFlat ? ' ' : eol + unit.repeat(depth + 1)
  const lines = all.map(([key, text, above, beside], at) => {
    const isLast = at === all.length - 1
    const head = above && !isFlat ? above + margin : ''
    const tail = beside && !isFlat ? ` ${beside}` : ''
    return `${head}${JSON.stringify(key)}: ${text}${isLast ? comma : ','}${tail}`
  })
  if (lines.length === 0) return isFlat ? '{}' : `{${eol}${unit.repeat(depth)}}`
  return `{${margin}${lines.join(margin)}${isFlat ? ' ' : eol + unit.repeat(depth)}}`
}

const jsonFile = fc
  .record({ style, outer: properties(3), servers: fc.option(properties(3)), at: fc.nat(3), isFlat: fc.boolean() })
  .map(({ style, outer, servers, at, isFlat }) => {
    const all: Property[] = [...outer]
    if (servers) all.splice(at, 0, ['mcpServers', printed(servers, style, 1, isFlat), '', ''])
    return style.bom + printed(all, style, 0, isFlat) + style.end
  })
const json = { format: 'json', key: 'mcpServers', name: 'tandem' } as const
const readJson = (text: string) => parseJson(text.replace('\ufeff', '')) as object

/** Whether one text is the other with something put in at one place. */
function isInsertion(before: string, after: string): boolean {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  return after.length > before.length && after.endsWith(before.slice(start))
}

test('JSON: an entry is put in at one place, and nothing else is another byte', () => {
  fc.assert(
    fc.property(jsonFile, (before) => {
      const added = withEntry(before, json, entry)
      expect(entryIn(added, json)).toEqual(entry)
      expect(isInsertion(before, added)).toBe(true)
      expect(withEntry(added, json, entry)).toBe(added)
    }),
    RUNS
  )
})

test('JSON: taken out again, every comment and every other value is there as it was', () => {
  fc.assert(
    fc.property(jsonFile, (before) => {
      const removed = withEntry(withEntry(before, json, entry), json, undefined)
      const hadServers = Object.keys((readJson(before) as { mcpServers?: object }).mcpServers ?? {}).length > 0
      if (hadServers) expect(removed).toBe(before)
      expect({ mcpServers: {}, ...readJson(removed) }).toEqual({ mcpServers: {}, ...readJson(before) })
      for (const comment of before.match(/\/\/ .*|\/\* .*\*\//g) ?? []) expect(removed).toContain(comment.trim())
    }),
    RUNS
  )
})

test('JSON: an entry that somebody put between others leaves their comments when it goes', () => {
  const file = fc.record({
    style,
    servers: properties(4),
    at: fc.nat(4),
    isFlat: fc.boolean(),
    above: note,
    beside: note
  })
  fc.assert(
    fc.property(file, ({ style, servers, at, isFlat, above, beside }) => {
      const all = [...servers]
      all.splice(at, 0, ['tandem', JSON.stringify(entry), above, beside])
      const before = printed([['mcpServers', printed(all, style, 1, isFlat), '', '']], style, 0, isFlat)
      const removed = withEntry(before, json, undefined)
      const rest = Object.fromEntries(servers.map(([key, text]) => [key, JSON.parse(text) as unknown]))
      expect(readJson(removed)).toEqual({ mcpServers: rest })
      const comments = (text: string) =>
        (text.match(/\/\/ mine: { "a", }|\/\* it's.*?\*\/|\/\/ tandem/g) ?? []).join('\n')
      expect(comments(removed)).toBe(comments(before))
    }),
    RUNS
  )
})

const tomlName = fc.constantFrom('a', 'b-c', '"with space"', 'other', "'quoted.dot'")
const tomlValue = fc.constantFrom(
  '1',
  '"a # b"',
  "'lit'",
  '[ "a",\n  "b", # in\n]',
  '{ x = 1, y = "z" }',
  'true',
  '1.50',
  '1979-05-27T07:32:00Z',
  '0xFF',
  '"""\nmany\nlines"""'
)
const tomlNote = fc.constantFrom('', '', ' # mine', '   # "tandem" [x]')
const tomlLines = fc.uniqueArray(fc.tuple(tomlName, tomlValue, tomlNote, fc.constantFrom(' = ', '=', '  =  ')), {
  selector: ([key]) => key,
  maxLength: 3
})
const asLine = ([key, text, comment, equals]: [string, string, string, string]) => `${key}${equals}${text}${comment}`
const tomlFile = fc
  .record({
    top: tomlLines,
    tables: fc.uniqueArray(
      fc.constantFrom('[profiles.z]', '[mcp_servers.other]', '[mcp_servers."x y"]  # c', '# only a comment', '[tools]')
    ),
    bodies: fc.array(tomlLines, { minLength: 5, maxLength: 5 }),
    style
  })
  .map(({ top, tables, bodies, style }) => {
    const blocks = tables.map((heading, at) =>
      [heading, ...(heading.startsWith('#') ? [] : (bodies[at] ?? []).map(asLine))].join('\n')
    )
    const text = [top.map(asLine).join('\n'), ...blocks].filter(Boolean).join('\n\n')
    return style.bom + (text + style.end.replace('\r', '')).replaceAll('\n', style.eol)
  })
const toml = { format: 'toml', key: 'mcp_servers', name: 'tandem' } as const
const readToml = (text: string) => parseToml(text.replace('\ufeff', ''))

test('TOML: an entry is put in behind what is there, which stays byte for byte, also when it goes or changes', () => {
  fc.assert(
    fc.property(tomlFile, (before) => {
      const added = withEntry(before, toml, entry)
      expect(entryIn(added, toml)).toEqual(entry)
      expect(added.startsWith(before)).toBe(true)
      expect(withEntry(added, toml, entry)).toBe(added)
      const changed = withEntry(added, toml, other)
      expect([changed.startsWith(before), entryIn(changed, toml)]).toEqual([true, other])
      const removed = withEntry(added, toml, undefined)
      expect(removed.trimEnd()).toBe(before.trimEnd())
      expect(JSON.stringify(readToml(removed))).toBe(JSON.stringify(readToml(before)))
    }),
    RUNS
  )
})
