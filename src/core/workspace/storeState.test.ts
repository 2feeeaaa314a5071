import { describe, expect, test } from 'vitest'
import { HOSTILE_STORES } from './hostileStores.testing'
import { type End, emptyState, inOrder, parseStore, printStore, type StoreState, withEnded } from './storeState'
import { strayRecord } from './workspacesFixture.testing'

const now = '2026-01-02T00:00:00.000Z'
const end: End = { at: now, reason: () => 'closed' }

function parsed(content: unknown): StoreState {
  const store = parseStore(JSON.stringify(content))
  if (store.kind === 'corrupt') throw new Error(store.why)
  return store.state
}

describe('reading a store', () => {
  test('fields nobody knows come back as they were, at the top and in each record', () => {
    const file = {
      version: 1,
      sessions: [strayRecord(0, { backend: 'tmux', cwd: '/', program: 'sh', colour: { deep: [1, null] } })],
      ended: [strayRecord(1, { backend: 'pty', cwd: '/', program: 'sh', endedAt: now, note: 'x' })],
      lastModified: now,
      owner: 'somebody',
      plugins: ['a']
    }
    expect(JSON.parse(printStore(parsed(file)))).toEqual({ ...file, checksum: expect.any(String) })
  })

  test('the file is indented by two spaces', () => {
    expect(printStore(emptyState())).toMatch(/^\{\n {2}"version": 1,\n {2}"sessions": \[\],\n/)
  })

  test('a file of the first format, without version and backend, is read', () => {
    const { sessions } = parsed({ sessions: [strayRecord(0)], lastModified: now })
    expect(sessions).toMatchObject([{ name: 'Stray 0', backend: 'tmux', order: 0 }])
  })

  test('orders are made 0..n-1, whatever the file says', () => {
    const sessions = [strayRecord(1, { order: 7 }), strayRecord(2, { order: -3 }), strayRecord(3, { order: 7 })]
    expect(parsed({ sessions }).sessions.map(({ name, order }) => [name, order])).toEqual([
      ['Stray 2', 0],
      ['Stray 1', 1],
      ['Stray 3', 2]
    ])
  })

  test('control characters of a foreign file do not get through', () => {
    const [record] = parsed({
      sessions: [strayRecord(0, { name: 'a\u001b[2Jb', cwd: '/\u0007x', program: '\r' })]
    }).sessions
    expect(record).toMatchObject({ name: 'a[2Jb', cwd: '/x', program: '' })
  })

  test('a field named __proto__ is not passed on', () => {
    const record = JSON.stringify(strayRecord(0)).slice(1)
    const store = parseStore(`{"__proto__":{"a":1},"sessions":[{"__proto__":{"b":1},${record}]}`)
    expect(store.kind === 'ok' && printStore(store.state)).not.toContain('__proto__')
  })

  test('a newer version is told apart, and what can be read of it is', () => {
    const store = parseStore(JSON.stringify({ version: 2, sessions: [strayRecord(0), { shape: 'new' }] }))
    expect(store).toMatchObject({ kind: 'future', version: 2, state: { sessions: [{ name: 'Stray 0' }] } })
  })

  test('what reads well and is not what was written is damaged, whatever was hit; white space does not count', () => {
    const written = printStore(parsed({ sessions: [strayRecord(0), strayRecord(1)], lastModified: now, theme: 'dark' }))
    expect(parseStore(JSON.stringify(JSON.parse(written)))).toEqual(parseStore(written))
    for (const [part, hit] of [
      ['Stray 0', 'Stray 8'],
      ['dark', 'darj'],
      ['"order": 1', '"order": 3'],
      ['theme', 'thems']
    ]) {
      const why = expect.stringContaining('damaged')
      expect(parseStore(written.replace(part ?? '', hit ?? ''))).toMatchObject({ kind: 'corrupt', why })
    }
  })

  test('a checksum that an older Tandem kept beside what it wrote says nothing', () => {
    const written = JSON.parse(printStore(parsed({ sessions: [strayRecord(0)], lastModified: now })))
    const older = { ...written, sessions: [], lastModified: '2026-01-03T00:00:00.000Z' }
    expect(parseStore(JSON.stringify(older)).kind).toBe('ok')
    expect(parseStore(JSON.stringify({ ...written, sessions: [] })).kind).toBe('corrupt')
    expect(parseStore(JSON.stringify({ ...written, sessions: [], checksum: undefined })).kind).toBe('ok')
    expect(parseStore(JSON.stringify({ ...written, sessions: [], checksum: 7 })).kind).toBe('ok')
  })

  test('there are at least 50 hostile files', () => {
    expect(HOSTILE_STORES.length).toBeGreaterThanOrEqual(50)
  })

  test.each(HOSTILE_STORES)('$title: is read or refused, never thrown', ({ content, expected }) => {
    const store = parseStore(content)
    expect(store.kind).toBe(expected)
    if (store.kind !== 'corrupt') expect(() => printStore(store.state)).not.toThrow()
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('ended terminals', () => {
  const state = parsed({ sessions: [strayRecord(0), strayRecord(1), strayRecord(2)] })

  test('leave the list without a gap, newest first among the ended', () => {
    const [first, second] = state.sessions
    if (!first || !second) throw new Error('There must be two')
    const next = withEnded(withEnded(state, [second], end), [first], end)
    expect(next.sessions.map(({ name, order }) => [name, order])).toEqual([['Stray 2', 0]])
    expect(next.ended.map(({ name }) => name)).toEqual(['Stray 0', 'Stray 1'])
  })

  const many = parsed({ sessions: Array.from({ length: 70 }, (_, index) => strayRecord(index)) })

  test('that nobody closed are all kept, as many as there may be, and no closed one pushes them out', () => {
    const lost: End = { at: now, reason: () => 'vanished', mostOffers: 100 }
    const offered = withEnded(many, many.sessions, lost)
    expect(offered.ended).toHaveLength(70)
    const more = parsed({ sessions: Array.from({ length: 60 }, (_, index) => strayRecord(100 + index)) })
    const busy = { ...offered, sessions: more.sessions }
    const closed = withEnded(busy, busy.sessions, end)
    expect(closed.ended.filter(({ reason }) => reason === 'vanished')).toEqual(offered.ended)
    expect(closed.ended).toHaveLength(120)
    expect(parsed(JSON.parse(printStore(closed))).ended.map(({ id }) => id)).toEqual(closed.ended.map(({ id }) => id))
    const again = withEnded(busy, busy.sessions, lost).ended
    expect(again.map(({ id }) => id)).toEqual([...busy.sessions, ...offered.ended].slice(0, 100).map(({ id }) => id))
    expect(withEnded(many, many.sessions, { ...lost, mostOffers: 3 }).ended).toHaveLength(70)
  })

  test('that were closed are kept to the newest 50', () => {
    expect(withEnded(many, many.sessions, end).ended).toHaveLength(50)
    const ended = Array.from({ length: 50 }, (_, index) => strayRecord(100 + index))
    const full = parsed({ sessions: [strayRecord(0)], ended })
    const next = withEnded(full, full.sessions, end)
    expect(next.ended.map(({ name }) => name).slice(0, 2)).toEqual(['Stray 0', 'Stray 100'])
    expect(next.ended).toHaveLength(50)
  })

  test('are written with their own end, whatever else a record carries', () => {
    const sessions = state.sessions.map((record) => ({ ...record, unknowns: { reason: 'older', note: 'x' } }))
    const { ended } = JSON.parse(printStore(withEnded({ ...state, sessions }, sessions, end)))
    expect(ended[0]).toMatchObject({ reason: 'closed', note: 'x' })
  })

  test('inOrder leaves its input alone', () => {
    const before = structuredClone(state.sessions)
    inOrder(state.sessions)
    expect(state.sessions).toEqual(before)
  })
})
