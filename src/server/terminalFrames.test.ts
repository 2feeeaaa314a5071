import { expect, test } from 'vitest'
import { decodeFrame, decodeHello, outputFrame, preferencesFrame, titleFrame } from './terminalFrames'

const hello = (value: unknown) => decodeHello(Buffer.from(JSON.stringify(value)))

test('the first frame carries a token and a size', () => {
  expect(hello({ AuthToken: 'x', columns: 80, rows: 24 })).toEqual({ authToken: 'x', size: { cols: 80, rows: 24 } })
  expect(hello({ AuthToken: '', columns: 80, rows: 24 })?.authToken).toBe('')
  expect(hello({})).toEqual({ authToken: '', size: undefined })
})

test.each([
  [0, 24],
  [80, 0],
  [65_535, 24],
  [80.5, 24],
  [-1, -1]
])('a window of %d by %d is not taken as a size', (columns, rows) => {
  expect(hello({ columns, rows })?.size).toBeUndefined()
  expect(decodeFrame(Buffer.from(`1${JSON.stringify({ columns, rows })}`))).toEqual({ kind: 'resize', size: undefined })
})

test.each(['', '0ls', '{', '[]', '"x"', 'null', '{"columns":"80"}', '{"AuthToken":7}'])('"%s" is no hello', (text) => {
  expect(decodeHello(Buffer.from(text))).toBeUndefined()
})

test('a hello or a size that is longer than any can be is none', () => {
  const size = { columns: 80, rows: 24 }
  expect(hello({ ...size, AuthToken: 'x'.repeat(2000) })?.size).toEqual({ cols: 80, rows: 24 })
  const long = JSON.stringify({ ...size, more: 'x'.repeat(4096) })
  expect(decodeHello(Buffer.from(long))).toBeUndefined()
  expect(decodeFrame(Buffer.from(`1${long}`))).toBeUndefined()
})

test('input is every byte behind the kind', () => {
  expect(decodeFrame(Buffer.from([0x30, 0, 0xff, 0x0d]))).toEqual({
    kind: 'input',
    bytes: Buffer.from([0, 0xff, 0x0d])
  })
})

test.each(['', '4', 'x', '1', '1{}', '1{"columns":80}', '1null', '\0'])('"%s" is no frame', (text) => {
  expect(decodeFrame(Buffer.from(text))).toBeUndefined()
})

test('server frames are one byte of kind and then the payload', () => {
  expect(outputFrame(Buffer.from('hi')).toString()).toBe('0hi')
  expect(titleFrame('café').toString()).toBe('1café')
  expect(preferencesFrame(7, { cols: 80, rows: 24 }).toString()).toBe('2{"tandem":{"offset":7,"columns":80,"rows":24}}')
})
