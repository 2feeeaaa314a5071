import { afterEach, expect, test, vi } from 'vitest'
import { McpSessions } from './mcpSessions'

const peerOf = () => ({ close: vi.fn(async () => undefined) })
const HOUR_MS = 3_600_000
let sessions = new McpSessions<ReturnType<typeof peerOf>>()

afterEach(() => {
  sessions.close()
  sessions = new McpSessions()
})

test('a session belongs to the token that made it', () => {
  sessions.add({ id: 'a', tokenName: 'claude', peer: peerOf() })
  expect(sessions.use('a', 'claude')).toBeDefined()
  expect(sessions.use('a', 'codex')).toBeUndefined()
  expect(sessions.use('b', 'claude')).toBeUndefined()
})

test('an idle session ends, one with an open stream does not', () => {
  const idle = peerOf()
  sessions.add({ id: 'idle', tokenName: 'claude', peer: idle })
  sessions.add({ id: 'busy', tokenName: 'claude', peer: peerOf() })
  const use = sessions.use('busy', 'claude')
  sessions.sweep(Date.now() + 2 * HOUR_MS)
  expect(idle.close).toHaveBeenCalled()
  expect(sessions.use('idle', 'claude')).toBeUndefined()
  expect(sessions.use('busy', 'claude')?.release()).toBeUndefined()
  use?.release()
  sessions.sweep(Date.now() + 2 * HOUR_MS)
  expect(sessions.use('busy', 'claude')).toBeUndefined()
})

test('one token that opens sessions without end loses its own oldest, not those of others', () => {
  sessions.add({ id: 'other', tokenName: 'codex', peer: peerOf() })
  for (let count = 0; count <= 100; count++) sessions.add({ id: `s${count}`, tokenName: 'claude', peer: peerOf() })
  expect(sessions.use('s0', 'claude')).toBeUndefined()
  expect(sessions.use('s100', 'claude')).toBeDefined()
  expect(sessions.use('other', 'codex')).toBeDefined()
})

test('the sessions of a revoked token end with it', () => {
  const revoked = peerOf()
  sessions.add({ id: 'a', tokenName: 'claude', peer: revoked })
  sessions.add({ id: 'b', tokenName: 'codex', peer: peerOf() })
  sessions.endOf('claude')
  expect(revoked.close).toHaveBeenCalled()
  expect(sessions.use('a', 'claude')).toBeUndefined()
  expect(sessions.use('b', 'codex')).toBeDefined()
})
