import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Size } from '../../../shared/terminal'
import { FakeSocket } from '../bridge/fakeSocket'
import { type LinkState, TerminalLink } from './terminalLink'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

let sockets: FakeSocket[]
let froms: (number | undefined)[]
let shown: string
let happened: string[]
let states: LinkState[]
let wanted: Size | undefined
let link: TerminalLink

const socket = () => sockets.at(-1) as FakeSocket
const frame = (text: string) => encoder.encode(text).buffer
const output = (text: string) => socket().hears(frame(`0${text}`))
const preferences = (offset: number, columns = 80, rows = 24) =>
  socket().hears(frame(`2${JSON.stringify({ tandem: { offset, columns, rows } })}`))
const sent = () => socket().sent.map((bytes) => decoder.decode(bytes as Uint8Array))

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  froms = []
  shown = ''
  happened = []
  states = []
  wanted = { cols: 100, rows: 30 }
  link = new TerminalLink({
    openSocket: (from) => {
      froms.push(from)
      sockets.push(new FakeSocket())
      return socket().asWebSocket
    },
    wantedSize: () => wanted,
    onState: (state) => states.push(state),
    onSize: ({ cols, rows }) => happened.push(`size ${cols}x${rows}`),
    onOutput: (bytes) => {
      shown += decoder.decode(bytes)
      happened.push('output')
    },
    onTitle: (title) => happened.push(`title ${title}`),
    onDropped: () => happened.push('dropped')
  })
  link.connect()
})

afterEach(() => {
  link.close()
  vi.useRealTimers()
})

test('it says hello with its size, or without one when it only watches', () => {
  socket().opens()
  expect(JSON.parse(sent()[0] ?? '')).toEqual({ AuthToken: '', columns: 100, rows: 30 })
  wanted = undefined
  socket().drop(1006)
  vi.advanceTimersByTime(500)
  socket().opens()
  expect(JSON.parse(sent()[0] ?? '')).toEqual({ AuthToken: '' })
})

test('the size that a snapshot was made for is known before the snapshot is shown', () => {
  socket().opens()
  output('\x1bcsnapshot')
  expect(happened).toEqual([])
  preferences(10, 120, 40)
  expect(happened).toEqual(['size 120x40', 'output'])
  expect(states.at(-1)).toBe('live')
})

test('after a broken line the stream goes on at the next byte that was not shown', () => {
  socket().opens()
  output('\x1bcsnapshot')
  preferences(1000)
  output('héllo')
  socket().drop(1006)
  vi.advanceTimersByTime(500)
  expect(froms).toEqual([undefined, 1006])
})

test('bytes that came but were not shown yet are asked for again', () => {
  socket().opens()
  preferences(1000)
  socket().drop(1006)
  vi.advanceTimersByTime(500)
  socket().opens()
  output('lost with the line')
  socket().drop(1006)
  vi.advanceTimersByTime(1000)
  expect(froms.at(-1)).toBe(1000)
  expect(shown).toBe('')
})

test('a snapshot in mid-stream does not count; a line that breaks inside it asks for a new one', () => {
  socket().opens()
  preferences(1000)
  output('\x1bcresync')
  socket().drop(1006)
  vi.advanceTimersByTime(500)
  expect(froms.at(-1)).toBeUndefined()
  socket().opens()
  output('\x1bcresync')
  preferences(5000)
  output('abc')
  socket().drop(1006)
  vi.advanceTimersByTime(1000)
  expect(froms.at(-1)).toBe(5003)
})

test('the end of the program ends the line for good', () => {
  socket().opens()
  preferences(0)
  output('bye')
  socket().drop(1000)
  vi.advanceTimersByTime(60_000)
  expect(states.at(-1)).toBe('ended')
  expect(shown).toBe('bye')
  expect(sockets).toHaveLength(1)
})

test('while the host is away nothing is tried, and at its return the line is opened at once', () => {
  socket().opens()
  preferences(0)
  link.setOnline(false)
  socket().drop(1006)
  vi.advanceTimersByTime(60_000)
  expect(sockets).toHaveLength(1)
  link.setOnline(true)
  expect(sockets).toHaveLength(2)
})

test('what is typed while the line is opened is sent in order when it is live', () => {
  link.input('ec')
  socket().opens()
  link.input('ho')
  preferences(0)
  link.input(' hi\r')
  link.pause()
  link.resume()
  link.resize({ cols: 90, rows: 20 })
  expect(sent().slice(1)).toEqual(['0ec', '0ho', '0 hi\r', '2', '3', '1{"columns":90,"rows":20}'])
})

test('a line that breaks by itself is opened again at once, and what is typed meanwhile is sent', () => {
  socket().opens()
  preferences(0)
  socket().drop(1006)
  expect(states.at(-1)).toBe('connecting')
  link.input('ls\r')
  socket().opens()
  preferences(0)
  expect(sent().slice(1)).toEqual(['0ls\r'])
})

test('after a failure typing is off: what was kept is dropped and told, and nothing more is taken', () => {
  link.input('rm -rf /\r')
  socket().drop(1006)
  expect(happened).toEqual(['dropped'])
  expect(link.takesInput).toBe(false)
  link.input('more')
  vi.advanceTimersByTime(500)
  expect(states).toEqual(['connecting', 'broken', 'retrying'])
  link.input('and more')
  socket().opens()
  preferences(0)
  expect(link.takesInput).toBe(true)
  expect(sent().slice(1)).toEqual([])
})

test('while the host is away typing is off, and at its return on again', () => {
  socket().opens()
  preferences(0)
  link.setOnline(false)
  socket().drop(1006)
  link.input('lost')
  expect(link.takesInput).toBe(false)
  link.setOnline(true)
  link.input('kept')
  socket().opens()
  preferences(0)
  expect(sent().slice(1)).toEqual(['0kept'])
})

test('a line closed while connecting is not cut, and nothing is shown afterwards', () => {
  link.close()
  expect(states).toEqual(['connecting'])
  socket().opens()
  output('late')
  expect(shown).toBe('')
})
