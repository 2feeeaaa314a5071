import { strayRecord } from './workspacesFixture.testing'

type Kind = 'ok' | 'future' | 'corrupt'
interface HostileStore {
  title: string
  content: string
  expected: Kind
}

const WHOLE = JSON.stringify({
  version: 1,
  sessions: [strayRecord(0), strayRecord(1)],
  ended: [],
  lastModified: '2026'
})

/** For tests: store files as a cloned repository could bring them. */
export const HOSTILE_STORES: readonly HostileStore[] = [
  ...texts(),
  ...truncations(),
  ...shapes(),
  ...records(),
  ...pollutions()
]

function texts(): HostileStore[] {
  const contents: [string, string][] = [
    ['empty', ''],
    ['white space', ' \n\t '],
    ['NUL bytes', '\0'.repeat(4096)],
    ['binary', String.fromCharCode(...Array.from({ length: 255 }, (_, code) => code))],
    ['a shell script', '#!/bin/sh\ntouch /tmp/owned\n'],
    ['two documents', `${WHOLE}${WHOLE}`],
    ['a comment', `// hi\n${WHOLE}`],
    ['a merge conflict', `<<<<<<< HEAD\n${WHOLE}\n=======\n${WHOLE}\n>>>>>>> x\n`],
    ['a byte order mark', `\ufeff${WHOLE}`],
    ['one megabyte of [', '['.repeat(1_000_000)],
    ['one megabyte of quotes', '"\\'.repeat(500_000)],
    ['nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a nested unknown field', `{"sessions":[],"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['a nested field in a record', `{"sessions":[{"id":${'['.repeat(5000)}${']'.repeat(5000)}}]}`]
  ]
  return contents.map(([title, content]) => ({ title, content, expected: 'corrupt' }))
}

function truncations(): HostileStore[] {
  const cuts = Array.from({ length: 20 }, (_, index) => Math.floor((WHOLE.length * index) / 20))
  return cuts.map((length) => ({ title: `cut after ${length}`, content: WHOLE.slice(0, length), expected: 'corrupt' }))
}

function shapes(): HostileStore[] {
  const values: [unknown, Kind][] = [
    [null, 'corrupt'],
    [true, 'corrupt'],
    [42, 'corrupt'],
    ['text', 'corrupt'],
    [[], 'corrupt'],
    [{}, 'corrupt'],
    [{ sessions: {} }, 'corrupt'],
    [{ sessions: 'x' }, 'corrupt'],
    [{ sessions: [null] }, 'corrupt'],
    [{ sessions: [[]] }, 'corrupt'],
    [{ sessions: [], ended: {} }, 'corrupt'],
    [{ sessions: [], ended: [1] }, 'corrupt'],
    [{ sessions: [], lastModified: 5 }, 'corrupt'],
    [{ sessions: [], lastModified: 'x'.repeat(65) }, 'corrupt'],
    [{ sessions: [], owner: { toString: 'x' } }, 'corrupt'],
    [{ version: 0, sessions: [] }, 'corrupt'],
    [{ version: -1, sessions: [] }, 'corrupt'],
    [{ version: 1.5, sessions: [] }, 'corrupt'],
    [{ version: '1', sessions: [] }, 'corrupt'],
    [{ version: null, sessions: [] }, 'corrupt'],
    [{ version: 99, sessions: [{ command: 'rm -rf /' }] }, 'future'],
    [{ sessions: [strayRecord(0), strayRecord(0)] }, 'corrupt'],
    [{ sessions: Array.from({ length: 3000 }, (_, index) => strayRecord(index)) }, 'ok']
  ]
  return values.map(([value, expected]) => file(value, expected))
}

function records(): HostileStore[] {
  const fields: [object, Kind][] = [
    [{ id: '../../x' }, 'corrupt'],
    [{ id: 'not-a-uuid' }, 'corrupt'],
    [{ id: 7 }, 'corrupt'],
    [{ id: '$(id)' }, 'corrupt'],
    [{ tmuxSession: '=mc:' }, 'corrupt'],
    [{ tmuxSession: 'x#(touch /tmp/owned)' }, 'corrupt'],
    [{ tmuxSession: '%1' }, 'corrupt'],
    [{ tmuxSession: '{last}' }, 'corrupt'],
    [{ tmuxSession: 'a;kill-server' }, 'corrupt'],
    [{ tmuxSession: '' }, 'corrupt'],
    [{ tmuxSession: 'x'.repeat(65) }, 'corrupt'],
    [{ name: { length: 1e9 } }, 'corrupt'],
    [{ name: '\u001b]52;c;ZXZpbA==\u0007' }, 'ok'],
    [{ name: '<img src=x onerror=alert(1)>' }, 'ok'],
    [{ order: 'first' }, 'corrupt'],
    [{ order: null }, 'corrupt'],
    [{ backend: 'ssh' }, 'corrupt'],
    [{ cwd: 'x'.repeat(5000) }, 'corrupt'],
    [{ program: ['sh', '-c', 'id'] }, 'corrupt'],
    [{ created: 'x'.repeat(100) }, 'corrupt'],
    [{ command: 'touch /tmp/owned', autostart: true }, 'ok']
  ]
  return fields.map(([more, expected]) => file({ sessions: [strayRecord(0, more)] }, expected))
}

function pollutions(): HostileStore[] {
  const record = JSON.stringify(strayRecord(0)).slice(1)
  return [
    { title: '__proto__ at the top', content: `{"__proto__":{"polluted":1},"sessions":[]}`, expected: 'ok' },
    { title: '__proto__ with the list', content: `{"__proto__":{"sessions":[]}}`, expected: 'corrupt' },
    { title: '__proto__ in a record', content: `{"sessions":[{"__proto__":{"polluted":1},${record}]}`, expected: 'ok' },
    { title: 'constructor', content: `{"constructor":{"prototype":{"polluted":1}},"sessions":[]}`, expected: 'ok' },
    { title: '__proto__ deeper', content: `{"sessions":[],"x":{"__proto__":{"polluted":1}}}`, expected: 'ok' },
    { title: 'toJSON', content: `{"sessions":[],"toJSON":"x","x":{"toJSON":1}}`, expected: 'ok' }
  ]
}

function file(value: unknown, expected: Kind): HostileStore {
  const content = JSON.stringify(value)
  return { title: content.slice(0, 80), content, expected }
}
