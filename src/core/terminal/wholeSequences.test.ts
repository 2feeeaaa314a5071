import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkLengths, cutInto, look, newEmulator, output, PROPERTY_TIMEOUT_MS, validOutput } from './streams.testing'
import { WholeSequences } from './wholeSequences'

function recut(chunks: Buffer[]): Buffer[] {
  const sequences = new WholeSequences()
  return [...chunks.map((chunk) => sequences.push(chunk)), sequences.flush()].filter(({ length }) => length > 0)
}

test('however a stream is cut, the same bytes come out in the same order', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(output, chunkLengths, (bytes, lengths) => {
      expect(Buffer.concat(recut(cutInto(bytes, lengths)))).toEqual(bytes)
    }),
    { numRuns: 200 }
  )
})

test('every piece ends where an emulator is between sequences and characters', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(validOutput, chunkLengths, (bytes, lengths) => {
      const sequences = new WholeSequences()
      const emulator = newEmulator()
      for (const chunk of cutInto(bytes, lengths)) {
        emulator.write(sequences.push(chunk))
        expect(parserState(emulator)).toEqual({ state: 0, characterBytes: 0 })
      }
    }),
    { numRuns: 200 }
  )
})

test('output cut anywhere, even inside a character or a sequence, renders the same', {
  timeout: PROPERTY_TIMEOUT_MS
}, () => {
  fc.assert(
    fc.property(output, chunkLengths, (bytes, lengths) => {
      const cut = newEmulator()
      for (const piece of recut(cutInto(bytes, lengths))) cut.write(piece)
      const atOnce = newEmulator()
      atOnce.write(bytes)
      expect(look(cut)).toEqual(look(atOnce))
    }),
    { numRuns: 200 }
  )
})

function parserState(emulator: ReturnType<typeof newEmulator>) {
  const handler = emulator.state._inputHandler as unknown as {
    _parser: { currentState: number }
    _utf8Decoder: { interim: Uint8Array }
  }
  return {
    state: handler._parser.currentState,
    characterBytes: handler._utf8Decoder.interim.filter((byte) => byte !== 0).length
  }
}

test.each([
  ['CSI', '\x1b[38;5;1', '96m'],
  ['a lone escape', '\x1b', '[A'],
  ['OSC ended by BEL', '\x1b]0;tit', 'le\x07'],
  ['OSC in the middle of its terminator', '\x1b]0;title\x1b', '\\'],
  ['DCS, in which BEL ends nothing', '\x1bPq\x07#0', '~\x1b\\'],
  ['APC', '\x1b_Gf=24', ';AAAA\x1b\\'],
  ['PM', '\x1b^x', 'y\x1b\\'],
  ['SOS', '\x1bXx', 'y\x1b\\'],
  ['a character set', '\x1b(', '0'],
  ['CSI with an intermediate', '\x1b[4 ', 'q'],
  ['CSI in its C1 form', '\u009b3', '1m'],
  ['OSC in its C1 form', '\u009d0;t', '\u009c']
])('%s is held until it is complete', (_, head, tail) => {
  const sequences = new WholeSequences()
  expect(sequences.push(Buffer.from(`text${head}`)).toString()).toBe('text')
  expect(sequences.push(Buffer.from(`${tail}more`)).toString()).toBe(`${head}${tail}more`)
})

test('a character is held until its last byte', () => {
  const sequences = new WholeSequences()
  const [a, b, c, d] = Buffer.from('👩')
  expect(sequences.push(Buffer.from([0x41, a ?? 0])).toString()).toBe('A')
  expect(sequences.push(Buffer.from([b ?? 0, c ?? 0]))).toHaveLength(0)
  expect(sequences.push(Buffer.from([d ?? 0])).toString()).toBe('👩')
})

test('bytes that are no UTF-8 pass through', () => {
  const sequences = new WholeSequences()
  const wrong = Buffer.from([0x80, 0xff, 0xfe, 0xc3, 0x28, 0xf8, 0x88])
  expect(sequences.push(wrong)).toEqual(wrong)
})

test('CAN ends any sequence', () => {
  expect(new WholeSequences().push(Buffer.from('\x1b]0;never ended\x18')).toString()).toBe('\x1b]0;never ended\x18')
})

test('a sequence over 1 MB is let through in pieces, and what follows it is whole again', () => {
  const sequences = new WholeSequences()
  const kilobyte = Buffer.alloc(1024, 'x')
  let out = sequences.push(Buffer.from('\x1bPq')).length
  for (let sent = 0; sent < 3000; sent++) out += sequences.push(kilobyte).length
  expect(out).toBe(3 + 3000 * 1024)
  expect(sequences.push(Buffer.from('\x1b\\text\x1b[3')).toString()).toBe('\x1b\\text')
  expect(sequences.push(Buffer.from('1m')).toString()).toBe('\x1b[31m')
})

test('after a restore it goes on from the sequence that is still arriving', () => {
  const sequences = new WholeSequences()
  sequences.push(Buffer.from('\x1b]0;forgotten'))
  expect(sequences.start(Buffer.from('\x1b[3'))).toHaveLength(0)
  expect(sequences.push(Buffer.from('1mred')).toString()).toBe('\x1b[31mred')
})
