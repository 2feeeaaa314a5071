import { describe, expect, test } from 'vitest'
import { parseJson } from '../jsonText'
import { withClaudeCodeHooks } from './claudeCodeHooks'
import { withCodexHooks } from './codexHooks'
import { HOOK_CLIENTS } from './hookClients'
import { HOOK_SPEAKERS } from './hookEvents'
import { withOpencodeHooks } from './opencodeHooks'

const CLAUDE = ['tandem', 'hook', 'claude-code']
const MINE = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "say done" }] }'

type Settings = { hooks?: Record<string, { hooks: { command: string }[] }[]> }
const commandsOf = (text: string, event: string) =>
  ((parseJson(text.replace(/^\ufeff/, '')) as Settings).hooks?.[event] ?? []).flatMap((group) =>
    group.hooks.map(({ command }) => command)
  )

test('every client whose hooks can be added is one that they can tell about', () => {
  expect(HOOK_CLIENTS.map(({ id }) => id)).toEqual(HOOK_SPEAKERS)
})

describe('Claude Code', () => {
  test('the hooks stand in an empty file as a person would write them', () => {
    const text = withClaudeCodeHooks('', CLAUDE)
    expect(text).toMatchSnapshot()
    expect(withClaudeCodeHooks(text, CLAUDE)).toBe(text)
  })

  test.each([
    ['beside other hooks of the same event', `{\n  "hooks": {\n    "Stop": [\n      ${MINE}\n    ]\n  }\n}\n`],
    ['in one line', `{"hooks":{"Stop":[${MINE}]},"a":1}`],
    ['with tabs and CRLF', `{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t${MINE}\r\n\t\t]\r\n\t}\r\n}\r\n`],
    [
      'with comments and trailing commas',
      `{ // a\n  "hooks": {\n    "Stop": [ // b\n      ${MINE}, // c\n    ], // d\n  },\n}\n`
    ],
    ['with a mark of its encoding', `\ufeff{\n  "hooks": { "Stop": [${MINE}] }\n}\n`],
    ['twice of the same event', `{ "hooks": { "Stop": [${MINE}, ${MINE}], "Notification": [${MINE}] } }\n`],
    ['of events we do not use', `{\n  "hooks": {\n    "PreCompact": [${MINE}]\n  },\n  "model": "x"\n}\n`]
  ])('what stands %s is there before and after, byte for byte', (_, before) => {
    const changed = withClaudeCodeHooks(before, CLAUDE)
    expect(commandsOf(changed, 'Notification')).toContain('tandem hook claude-code')
    if (before.includes('Stop')) expect(commandsOf(changed, 'Stop')).toContain('say done')
    expect(commandsOf(changed, 'Stop').at(-1)).toBe('tandem hook claude-code')
    expect(withClaudeCodeHooks(changed, CLAUDE)).toBe(changed)
    expect(withClaudeCodeHooks(changed, undefined)).toBe(before)
    expect(withClaudeCodeHooks(before, undefined)).toBe(before)
  })

  test('hooks that name another place of ours are replaced; those that only look like ours are left', () => {
    const elsewhere = withClaudeCodeHooks('{}', ['/old place/node', '/old place/tandem.js', 'hook', 'claude-code'])
    const moved = withClaudeCodeHooks(elsewhere, CLAUDE)
    expect(commandsOf(moved, 'Stop')).toEqual(['tandem hook claude-code'])
    const alike =
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mytandem hook claude-code" }] }] } }'
    expect(withClaudeCodeHooks(alike, undefined)).toBe(alike)
  })

  test('a hook that a person put behind ours changes nothing about it', () => {
    const ours = withClaudeCodeHooks('{}', CLAUDE)
    const more = ours.replace(/("Stop": \[[\s\S]*?\n {4}\])/, (list) => list.replace(/\]$/, `, ${MINE}]`))
    expect(commandsOf(more, 'Stop')).toEqual(['tandem hook claude-code', 'say done'])
    expect(withClaudeCodeHooks(more, CLAUDE)).toBe(more)
    expect(commandsOf(withClaudeCodeHooks(more, undefined), 'Stop')).toEqual(['say done'])
  })

  test.each(['{ "hooks": ', '[]', '{ "hooks": [] }', '{ "hooks": { "Stop": {} } }', '7'])(
    'a file that is not what it reads is refused: %s',
    (text) => {
      expect(() => withClaudeCodeHooks(text, CLAUDE)).toThrow()
    }
  )
})

describe('Codex', () => {
  const words = ['/usr/bin/node', '/a b/tandem.js', 'hook', 'codex']

  test.each([
    '',
    'model = "x"\n',
    '# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n',
    '\ufeff[tui]\nnotifications = true\n',
    '[a]\nnotify = ["not", "the", "same"]\n'
  ])('the program to notify comes first in the file and goes again: %j', (before) => {
    const changed = withCodexHooks(before, words)
    expect(changed).toContain('notify = ["/usr/bin/node","/a b/tandem.js","hook","codex"]')
    expect(withCodexHooks(changed, words)).toBe(changed)
    expect(withCodexHooks(changed, undefined)).toBe(before)
  })

  test('a program of the person stays; how both can run is said', () => {
    const text = 'notify = ["say"]\n'
    expect(() => withCodexHooks(text, words)).toThrow(/notify/)
    try {
      withCodexHooks(text, words)
    } catch (failure) {
      expect(failure).toMatchObject({ hint: expect.stringContaining("'/a b/tandem.js' hook codex") })
    }
    expect(withCodexHooks(text, undefined)).toBe(text)
  })

  test('ours of another place is replaced, also where a person has laid it out anew or it cannot be done', () => {
    expect(withCodexHooks('notify = ["tandem", "hook", "codex"] # ours\nmodel = "x"\n', words)).toMatch(
      /^notify = \["\/usr\/bin\/node".*\nmodel = "x"\n$/
    )
    expect(() => withCodexHooks('notify = [\n  "tandem", "hook", "codex"\n]\n', undefined)).toThrow()
  })
})

describe('opencode', () => {
  test('the plugin is a file of its own; one that is not ours is neither replaced nor taken away', () => {
    const plugin = withOpencodeHooks('', ['tandem', 'hook', 'opencode'])
    expect(plugin).toContain('const COMMAND = ["tandem","hook","opencode"]')
    expect(withOpencodeHooks(plugin, ['/x/tandem', 'hook', 'opencode'])).toContain('"/x/tandem"')
    expect(withOpencodeHooks(plugin, undefined)).toBe('')
    const changed = `${plugin}// mine\n`
    expect(withOpencodeHooks(changed, undefined)).toBe(changed)
    expect(() => withOpencodeHooks(changed, ['tandem'])).toThrow(/not ours/)
  })
})
