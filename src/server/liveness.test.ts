import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { watchLiveness } from './liveness'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watched() {
  const peer = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    isPaused: false,
    ping: vi.fn(),
    terminate: vi.fn(() => peer.emit('close'))
  })
  // The watcher uses nothing else of a socket.
  watchLiveness(peer as unknown as WebSocket)
  return peer
}

test('a peer that answers is asked again and again and lives', () => {
  const peer = watched()
  peer.ping.mockImplementation(() => peer.emit('pong'))
  vi.advanceTimersByTime(10 * 60_000)
  expect(peer.ping).toHaveBeenCalledTimes(120)
  expect(peer.terminate).not.toHaveBeenCalled()
})

test('a peer that only sends lives too', () => {
  const peer = watched()
  for (let second = 0; second < 100; second++) {
    peer.emit('message')
    vi.advanceTimersByTime(1000)
  }
  expect(peer.terminate).not.toHaveBeenCalled()
})

test('a peer that says nothing for 20 seconds is freed, and not asked any more', () => {
  const peer = watched()
  vi.advanceTimersByTime(19_000)
  expect(peer.terminate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(peer.terminate).toHaveBeenCalledTimes(1)
  const asked = peer.ping.mock.calls.length
  vi.advanceTimersByTime(60_000)
  expect(peer.ping.mock.calls.length).toBe(asked)
})

test('a clock that jumps, or a host that slept, frees nobody', () => {
  const peer = watched()
  vi.setSystemTime(Date.now() + 3_600_000)
  vi.advanceTimersByTime(10_000)
  expect(peer.terminate).not.toHaveBeenCalled()
})

test('a peer that we do not read ourselves is not judged', () => {
  const peer = watched()
  peer.isPaused = true
  vi.advanceTimersByTime(10 * 60_000)
  expect(peer.terminate).not.toHaveBeenCalled()
})
