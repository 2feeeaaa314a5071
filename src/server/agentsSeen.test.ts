import { expect, test } from 'vitest'
import { AgentsSeen } from './agentsSeen'

const MINUTES = 60 * 1000

test('agents are told apart by name and token, the latest first, and grow quiet after a while', () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const seen = new AgentsSeen(() => now)
  seen.arrive({ name: 'one', token: 'owner' })()
  seen.arrive({ name: 'one', token: 'limited' })()
  now += 10 * MINUTES
  seen.arrive({ name: 'one', token: 'owner' })()
  expect(seen.all()).toEqual([
    { name: 'one', token: 'owner', lastSeen: '2026-01-01T00:10:00.000Z', isActive: true },
    { name: 'one', token: 'limited', lastSeen: '2026-01-01T00:00:00.000Z', isActive: false }
  ])
})

test('one that waits for its answer is active however long that takes', () => {
  let now = 0
  const seen = new AgentsSeen(() => now)
  const leave = seen.arrive({ name: 'patient', token: 'owner' })
  now += 60 * MINUTES
  expect(seen.all()[0]?.isActive).toBe(true)
  leave()
  now += 60 * MINUTES
  expect(seen.all()[0]?.isActive).toBe(false)
})

test('the newest fifty are kept, with names of a bounded length', () => {
  const seen = new AgentsSeen()
  for (let index = 0; index < 60; index += 1) seen.arrive({ name: `${index}-${'x'.repeat(1000)}`, token: 'owner' })()
  expect(seen.all()).toHaveLength(50)
  expect(seen.all()[0]?.name).toMatch(/^59-x{97}$/)
})

test('those of a revoked token are gone, and do not come back with a late answer', () => {
  const seen = new AgentsSeen()
  const leave = seen.arrive({ name: 'one', token: 'limited' })
  seen.forget('limited')
  leave()
  expect(seen.all()).toEqual([])
})
