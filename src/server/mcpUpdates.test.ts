import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ResourceListener } from './mcpResources'
import { McpUpdates } from './mcpUpdates'

const CALLER = { access: { name: 'owner', scopes: [], projects: null }, clientName: 'tester', key: 'k' }
const URI = 'terminal://t/log'

let heard: string[]
let watched: ResourceListener | undefined
let isBehind: boolean

beforeEach(() => {
  vi.useFakeTimers()
  heard = []
  watched = undefined
  isBehind = false
})
afterEach(() => {
  vi.useRealTimers()
})

async function follow(): Promise<McpUpdates> {
  const watch = async (_: unknown, __: string, listener: ResourceListener) => {
    watched = listener
    return () => {
      watched = undefined
    }
  }
  const updates = new McpUpdates(
    { watch },
    {
      updated: (uri) => heard.push(uri),
      emptied: () => heard.push('nothing left'),
      isBehind: () => isBehind
    }
  )
  await updates.follow(CALLER, URI)
  return updates
}

test('the first change is told at once, a flood after it twice a second, and the last one is never lost', async () => {
  await follow()
  for (let change = 0; change < 1000; change++) {
    watched?.changed()
    vi.advanceTimersByTime(2)
  }
  expect(heard.length).toBeGreaterThanOrEqual(4)
  expect(heard.length).toBeLessThanOrEqual(5)
  const before = heard.length
  watched?.changed()
  vi.advanceTimersByTime(500)
  expect(heard.length).toBeGreaterThan(before)
  vi.advanceTimersByTime(60_000)
  expect(heard.length).toBeLessThanOrEqual(before + 1)
})

test('a client that does not read is not written to until it does, and then once', async () => {
  await follow()
  isBehind = true
  for (let second = 0; second < 60; second++) {
    watched?.changed()
    vi.advanceTimersByTime(1000)
  }
  expect(heard).toEqual([])
  isBehind = false
  vi.advanceTimersByTime(500)
  expect(heard).toEqual([URI])
})

test('what is gone is told of once more, and then that nothing is left', async () => {
  const updates = await follow()
  watched?.gone()
  vi.advanceTimersByTime(60_000)
  expect(heard).toEqual([URI, 'nothing left'])
  updates.close()
})

test('what is no longer followed is no longer watched', async () => {
  const updates = await follow()
  updates.unfollow(URI)
  expect(watched).toBeUndefined()
  await updates.follow(CALLER, URI)
  updates.close()
  expect(watched).toBeUndefined()
  await updates.follow(CALLER, URI)
  expect(watched).toBeUndefined()
})
