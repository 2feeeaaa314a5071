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

test('a host that hangs is asked, then taken for lost; calls under way are answered and another socket is opened', async () => {
  socket().opens()
  const call = carrier.bridge.listWorkspaces()
  await vi.advanceTimersByTimeAsync(2_250)
  expect(requests().map((request) => request.call)).toEqual(['listWorkspaces', 'beat'])
  expect(states.at(-1)).toBe('connected')
  await vi.advanceTimersByTimeAsync(2_250)
  expect(states.at(-1)).toBe('waiting')
  expect(await call).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
  await vi.advanceTimersByTimeAsync(500)
  expect(sockets).toHaveLength(2)
  sockets[0]?.hears('{"event":"historyChanged","args":[]}')
  socket().opens()
  expect(states.at(-1)).toBe('connected')
})

test('a host that answers is never taken for lost, however little there is to say', async () => {
  socket().opens()
  for (let second = 0; second < 120; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    for (const { id, call } of requests())
      if (call === 'beat') socket().hears(JSON.stringify({ id, result: { ok: true, value: true } }))
  }
  expect(states).toEqual(['connecting', 'connected'])
})

test('a page that slept asks before it judges', async () => {
  socket().opens()
  await vi.advanceTimersByTimeAsync(1_125)
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(1_125)
  expect(states.at(-1)).toBe('connected')
  expect(requests().at(-1)?.call).toBe('beat')
})

test('a connection that never opens is given up for another', async () => {
  await vi.advanceTimersByTimeAsync(20_000)
  expect(states.at(-1)).toBe('waiting')
  await vi.advanceTimersByTimeAsync(500)
  expect(sockets).toHaveLength(2)
})
