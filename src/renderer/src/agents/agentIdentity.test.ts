import { expect, test } from 'vitest'
import { identityOf } from './agentIdentity'

test('an agent keeps its letter and hue, whoever comes later; no two share a letter while there are others', () => {
  const known = ['claude-code', 'codex-mcp-client', 'tester']
  expect(identityOf(known, 'claude-code')).toEqual({ title: 'Claude Code', letter: 'C', hue: 0 })
  expect(identityOf(known, 'codex-mcp-client')).toEqual({ title: 'Codex', letter: 'O', hue: 1 })
  expect(identityOf([...known, 'turtle'], 'tester')).toEqual(identityOf(known, 'tester'))
  expect(identityOf([...known, 'turtle'], 'turtle')).toEqual({ title: 'turtle', letter: 'U', hue: 3 })
})

test('a name without letters has a chip too', () => {
  expect(identityOf([], '--')).toEqual({ title: '--', letter: '?', hue: 0 })
})
