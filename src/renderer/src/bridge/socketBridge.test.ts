import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection, Reachability } from './connection'
import { FakeSocket } from './fakeSocket'
import { SocketBridge } from './socketBridge'

let sockets: FakeSocket[]
let states: Connection['state'][]
let reachability: Reachability
let carrier: SocketBridge

const socket = () => sockets.at(-1) as FakeSocket
const requests = () => socket().sent.map((text) => JSON.parse(String(text)) as { id: number; call: string })

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  states = []
  reachability = 'down'
  carrier = new SocketBridge({
    openSocket: () => {
      sockets.push(new FakeSocket())
      return socket().asWebSocket
    },
    probe: async () => reachability,
    onConnection: ({ state }) => states.push(state)
  })
})

afterEach(() => {
  carrier.close()
  vi.useRealTimers()
})

test('answers find their calls in any order', async () => {
  socket().opens()
  const first = carrier.bridge.listWorkspaces()
  const second = carrier.bridge.hostInfo()
  const [one, two] = requests()
  socket().hears(JSON.stringify({ id: two?.id, result: { ok: true, value: 'info' } }))
  socket().hears(JSON.stringify({ id: one?.id, result: { ok: true, value: 'list' } }))
  expect(await first).toEqual({ ok: true, value: 'list' })
  expect(await second).toEqual({ ok: true, value: 'info' })
})

test('a call under way when the socket drops is answered with a code, and is not sent again', async () => {
  socket().opens()
  const call = carrier.bridge.listWorkspaces()
  socket().drop(1006)
  expect(await call).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
  await vi.advanceTimersByTimeAsync(500)
  socket().opens()
  expect(requests()).toEqual([])
})

test('a call without a connection is refused at once', async () => {
  expect(await carrier.bridge.listWorkspaces()).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
})

test('it connects again with growing pauses, and at once when asked', async () => {
  for (const waitMs of [500, 1000, 2000]) {
    const before = sockets.length
    socket().drop(1006)
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(sockets).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(before + 1)
  }
  socket().drop(1006)
  const before = sockets.length
  carrier.retryNow()
  expect(sockets).toHaveLength(before + 1)
})

test('a host that does not know the page stops the retries until the person asks', async () => {
  reachability = 'signedOut'
  socket().drop(1006)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sockets).toHaveLength(1)
  expect(states.at(-1)).toBe('signedOut')
  carrier.retryNow()
  socket().opens()
  expect(states.at(-1)).toBe('connected')
})

test('events reach their listeners until these stop listening', () => {
  socket().opens()
  const heard: unknown[] = []
  const stop = carrier.bridge.on('workspaceChanged', (key) => heard.push(key))
  const key = { project: '/p', session: 's' }
  socket().hears(JSON.stringify({ event: 'workspaceChanged', args: [key] }))
  stop()
  socket().hears(JSON.stringify({ event: 'workspaceChanged', args: [key] }))
  expect(heard).toEqual([key])
})
