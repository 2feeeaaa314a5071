import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

const MINUTE_MS = 60_000
let fixture: WorkspacesFixture
let looks: number

beforeEach(() => {
  fixture = new WorkspacesFixture()
  const list = fixture.backend.list.bind(fixture.backend)
  looks = 0
  fixture.backend.list = () => {
    looks += 1
    return list()
  }
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})

afterEach(async () => {
  vi.useRealTimers()
  await fixture.close()
})

/** How often the backend was asked what lives while the workspace was listed once. */
async function looksOfOneList(host: ReturnType<typeof fixture.host>): Promise<number> {
  const before = looks
  const { sessions } = await host.list(FULL_ACCESS, { project: fixture.project, session: 'default' })
  expect(sessions.map(({ state }) => state)).toEqual(['running'])
  return looks - before
}

async function withOneTerminal() {
  const host = fixture.host()
  await host.start()
  await host.create(FULL_ACCESS, { project: fixture.project, session: 'default' })
  return host
}

test('a list is compared with what lives when it is neither written nor looked at for five minutes', async () => {
  const host = await withOneTerminal()
  expect(await looksOfOneList(host)).toBe(0)
  vi.advanceTimersByTime(4 * MINUTE_MS)
  expect(await looksOfOneList(host)).toBe(0)
  vi.advanceTimersByTime(2 * MINUTE_MS)
  expect(await looksOfOneList(host)).toBe(1)
  // What was written last is old, but the look is not.
  expect(await looksOfOneList(host)).toBe(0)
  vi.advanceTimersByTime(4 * MINUTE_MS)
  expect(await looksOfOneList(host)).toBe(0)
  vi.advanceTimersByTime(2 * MINUTE_MS)
  expect(await looksOfOneList(host)).toBe(1)
})

test('a clock that jumps makes a list old once, and never again and again', async () => {
  const host = await withOneTerminal()
  vi.advanceTimersByTime(6 * MINUTE_MS)
  expect(await looksOfOneList(host)).toBe(1)
  for (const jump of [60, -120, 240]) {
    vi.setSystemTime(Date.now() + jump * MINUTE_MS)
    expect(await looksOfOneList(host)).toBe(0)
  }
})
