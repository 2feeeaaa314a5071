import { describe, expect, test } from 'vitest'
import { entryIn, withEntry } from './configText'

const entry = { command: 'tandem', args: ['mcp'] }

describe('JSON', () => {
  const place = { format: 'json', key: 'mcpServers', name: 'tandem' } as const
  const files: Record<string, string> = {
    comments:
      '// mine\n{\n  // servers\n  "mcpServers": {\n    "other": { "command": "x" } // keep\n  },\n  "unknown": [1, 2,]\n}\n',
    'another order and unknown keys': '{"z":1,"mcpServers":{"b":{"command":"x","odd":null},"a":{}},"a":2}',
    'Windows line ends': '{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
    tabs: '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n',
    'a byte order mark': '\ufeff{\n  "mcpServers": {\n    "other": {}\n  }\n}\n',
    'no final newline': '{\n  "mcpServers": {\n    "other": {}\n  }\n}'
  }
  test.each(Object.keys(files))('a file with %s is the same again after adding and removing', (name) => {
    const before = files[name] ?? ''
    const added = withEntry(before, place, entry)
    expect(entryIn(added, place)).toEqual(entry)
    expect(added.includes('\r\n')).toBe(before.includes('\r\n'))
    expect(added.length).toBeGreaterThan(before.length)
    const start = [...before].findIndex((letter, at) => added[at] !== letter)
    expect(added.endsWith(before.slice(start))).toBe(true)
    expect(withEntry(added, place, undefined)).toBe(before)
    expect(withEntry(added, place, entry)).toBe(added)
  })

  test('an empty or missing file becomes one with the entry alone', () => {
    expect(JSON.parse(withEntry('', place, entry))).toEqual({ mcpServers: { tandem: entry } })
  })

  test.each(['{ "a": ', '[]', '"text"', '{"mcpServers": 3}', '{"mcpServers": []}'])('%s is refused', (text) => {
    expect(() => withEntry(text, place, entry)).toThrow(/not JSON|no place/)
  })
})

describe('TOML', () => {
  const place = { format: 'toml', key: 'mcp_servers', name: 'tandem' } as const
  const files: Record<string, string> = {
    'comments and order':
      '# top\nmodel = "x"  # why\n\n[mcp_servers.other]\ncommand = \'foo\'   # c\nargs = [ "a",\n  "b" ] # d\n\n[profiles.z]\na=1\n',
    'Windows line ends': 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "foo"\r\n',
    'a byte order mark': '\ufeffmodel = "x"\n',
    tabs: '[mcp_servers.other]\n\tcommand = "foo"\n',
    'servers in one line': 'mcp_servers = { other = { command = "foo" } }\n',
    'dotted keys': 'mcp_servers.other.command = "foo"\nbig = 9007199254740993\nwhen = 1979-05-27T07:32:00Z\n',
    'lists of tables': '[[x]]\na=1\n[[x]]\na=2\n'
  }
  test.each(Object.keys(files))('a file with %s keeps all it had, and is the same again after removing', (name) => {
    const before = files[name] ?? ''
    const added = withEntry(before, place, entry)
    expect(entryIn(added, place)).toEqual(entry)
    for (const line of before.split(/\r?\n/).filter((text) => !text.startsWith('mcp_servers = ')))
      expect(added).toContain(line)
    expect(withEntry(added, place, undefined).trimEnd()).toBe(before.trimEnd())
    expect(withEntry(added, place, entry)).toBe(added)
  })

  test('an entry of ours that is another one is changed in its place', () => {
    const old = '[mcp_servers.tandem]\ncommand = "old" # mine\n\n[mcp_servers.z]\ncommand = "z"\n'
    const changed = withEntry(old, place, entry)
    expect(entryIn(changed, place)).toEqual(entry)
    expect(changed).toContain('[mcp_servers.z]\ncommand = "z"')
  })

  test('what is not TOML is refused', () => {
    expect(() => withEntry('model = \n[', place, entry)).toThrow(/not TOML/)
  })
})
