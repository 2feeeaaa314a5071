import { beforeEach, expect, test } from 'vitest'
import { CallMarkers } from './callMarkers'

let seen: string
let told: string[]
let markers: CallMarkers

beforeEach(() => {
  seen = ''
  told = []
  markers = new CallMarkers((bytes) => {
    seen += bytes.toString()
  })
})

function expectCall(): () => void {
  return markers.expect({
    start: '7777;ab',
    end: '7777;cd',
    shown: Buffer.from('make\r\n'),
    typedBytes: 40,
    started: () => told.push(`started at ${seen.length}`),
    ended: (exitCode) => told.push(`ended with ${exitCode}`)
  })
}

function push(...pieces: string[]): void {
  for (const piece of pieces) markers.push(Buffer.from(piece))
}

test('the echo of the typed line and the marks are not seen, the command is', () => {
  expectCall()
  push("printf '\\033]7777;%s%s'", ' a b; { make\r\n', '\x1b]7777;ab\x07out', 'put\r\n\x1b]7777;cd;2\x07$ ', 'later')
  expect(seen).toBe('make\r\noutput\r\n$ later')
  expect(told).toEqual(['started at 6', 'ended with 2'])
})

test('marks in one piece, and an end that tells no code', () => {
  expectCall()
  push('echo\x1b]7777;ab\x07x\x1b]7777;cd;none\x07')
  expect([seen, told.at(-1)]).toEqual(['make\r\nx', 'ended with null'])
})

test('without a call, and for marks of others, bytes pass as they are', () => {
  push('\x1b]7777;ab\x07a')
  expectCall()
  push('\x1b]7777;ab\x07\x1b]7777;zz;0\x07b')
  expect(seen).toBe('\x1b]7777;ab\x07amake\r\n\x1b]7777;zz;0\x07b')
  expect(told).toEqual([`started at ${'\x1b]7777;ab\x07amake\r\n'.length}`])
})

test('one that never starts looks as if it had been typed when it is given up', () => {
  const giveUp = expectCall()
  push('> > ')
  giveUp()
  push('^C')
  expect(seen).toBe('make\r\n^C')
})

test('giving up after the start changes nothing; the end of the program ends the call', () => {
  const giveUp = expectCall()
  push('\x1b]7777;ab\x07')
  giveUp()
  push('x\x1b]7777;cd;0\x07')
  expect(told.at(-1)).toBe('ended with 0')
  expectCall()
  push('held')
  markers.end()
  push('!')
  expect(seen).toBe('make\r\nxheld!')
})

test('an echo without end is not held for ever', () => {
  expectCall()
  push('x'.repeat(300_000))
  expect(seen.length).toBe(300_000)
})

test('a call that a shell leaves out the end of can be given up; one of an earlier host is gone on with', () => {
  expectCall()
  push('\x1b]7777;ab\x07partly')
  expect(markers.pending).toBe('7777;cd')
  markers.abandon()
  markers.abandon()
  expect([told.at(-1), told.length, markers.pending]).toEqual(['ended with null', 2, undefined])
  markers.resume({ end: '7777;ef', ended: (exitCode) => told.push(`resumed and ended with ${exitCode}`) })
  push('more\x1b]7777;ef;4\x07$ ')
  expect([seen, told.at(-1)]).toEqual(['make\r\npartlymore$ ', 'resumed and ended with 4'])
})

test('the echo of a long line is held back, however long it is', () => {
  const call = { start: '7777;ab', end: '7777;cd', started: () => undefined, ended: () => undefined }
  markers.expect({ ...call, shown: Buffer.from('long\r\n'), typedBytes: 1_000_000 })
  for (let megabytes = 0; megabytes < 4; megabytes++) push('x'.repeat(1_000_000))
  push('\x1b]7777;ab\x07')
  expect(seen).toBe('long\r\n')
})
