import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Emulator } from '../../core/terminal/emulator'
import {
  chunkLengths,
  cutInto,
  look,
  newEmulator,
  output,
  PROPERTY_TIMEOUT_MS,
  validOutput
} from '../../core/terminal/streams.testing'
import { ShownOutput } from './shownOutput'

/** The end of a string, in which nothing is open, does nothing. */
const shown = (text: string): string =>
  new ShownOutput()
    .push(Buffer.from(`${text}\x18`))
    .toString()
    .replaceAll('\x1b\\', '')
    .slice(0, -1)

const QUERIES = [
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[=c',
  '\x1bZ',
  '\x05',
  '\x1b[5n',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[?996n',
  '\x1b[>q',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b[?4m',
  '\x1b[?2026$p',
  '\x1b[4$p',
  '\x1b[18t',
  '\x1b[21t',
  '\x1b[x',
  '\x1b[1;1;1;1;1;1*y',
  '\x1b[1$w',
  '\x1b[?1;1;0S',
  '\x1b]10;?\x07',
  '\x1b]11;?\x1b\\',
  '\x1b]4;1;?\x07',
  '\x1b]52;c;?\x07',
  '\x1b]21;foreground=?\x1b\\',
  '\x1b]1337;ReportCellSize\x07',
  '\x1bP$qm\x1b\\',
  '\x1bP+q544e\x1b\\',
  '\x1bPtmux;anything\x1b\\',
  '\x1bP1000p\x1b\\',
  '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\',
  '\u009bc',
  '\u009d11;?\u009c',
  '\x1b[?2031h',
  '\x1b[?2048h'
]

test.each(QUERIES)('%j is not shown to a terminal that would answer it', (query) => {
  expect(shown(`a${query}b`)).toBe('ab')
})

test.each([
  ['with a control inside, which counts', '\x1b[\n6n', '\n'],
  ['with a control after Escape', '\x1b\r[c', '\r'],
  ['that breaks another sequence off', '\x1b[3\x1b[6n', '\x1b[3'],
  ['in a string that it breaks off', '\x1b]0;title\x1b[6n', '\x1b]0;title'],
  ['in its C1 form, in a string', '\x1b]0;title\u009b6n', '\x1b]0;title'],
  ['that is ended by the next sequence', '\x1b]11;?\x1b[1m', '\x1b[1m']
])('a query %s is not shown', (_, query, rest) => {
  expect(shown(query)).toBe(rest)
})

test.each(['\x1b[\x1b[c6n', '\x1b\x1b[6nc', '\x1b]11;\x1b[6n?\x07', '\x1b[>\x1b_G;\x1b\\c', '\x1bP$\u009ccq\x1b\\'])(
  'what is around a query in %j does not become one without it',
  (text) => {
    let answers = ''
    const answer = (data: string) => {
      answers += data
    }
    const emulator = new Emulator({ rows: 6, cols: 20 }, 100, { answer, title: () => undefined })
    emulator.write(new ShownOutput().push(Buffer.from(`text${text}`)))
    expect(answers).toBe('')
    expect(emulator.buffer.active.getLine(0)?.translateToString(true)).toMatch(/^text/)
  }
)

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m\x1b[38;5;200m'],
  ['xterm’s keyboard', '\x1b[>4;2m\x1b[>1u\x1b[<1u\x1b[=0u'],
  ['a cursor’s shape and its place kept', '\x1b[2 q\x1b[s\x1b[u\x1b7\x1b8'],
  ['a title that asks something', '\x1b]0;why;?\x07\x1b]2;?\x1b\\'],
  ['a link with a query', '\x1b]8;;https://example.org/?a=?\x1b\\there\x1b]8;;\x1b\\'],
  ['a colour that is set', '\x1b]11;#000000\x07\x1b]4;1;rgb:ff/00/00\x1b\\'],
  ['text that is copied', '\x1b]52;c;aGVsbG8=\x07'],
  ['titles kept and given back', '\x1b[22;0t\x1b[23;0t'],
  ['a picture', '\x1bPq#0;2;0;0;0~~\x1b\\'],
  ['modes', '\x1b[?1049h\x1b[?1003;1006h\x1b[?25l\x1b[!p'],
  ['letters', 'c n R Zx ?u ünïcödé 日本']
])('%s are shown unchanged', (_, text) => {
  expect(shown(text)).toBe(text.replaceAll('\x1b\\', ''))
})

test('however it is cut, a terminal that shows it is never asked', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  const asking = fc.array(
    fc.oneof(
      output,
      fc.constantFrom(...QUERIES).map((query) => Buffer.from(query))
    )
  )
  fc.assert(
    fc.property(asking, chunkLengths, (pieces, lengths) => {
      let answers = ''
      const answer = (data: string) => {
        answers += data
      }
      const emulator = new Emulator({ rows: 6, cols: 20 }, 100, { answer, title: () => undefined })
      const output = new ShownOutput()
      for (const chunk of cutInto(Buffer.concat(pieces), lengths)) emulator.write(output.push(chunk))
      expect(answers).toBe('')
    }),
    { numRuns: 300 }
  )
})

test('but for queries, what is shown looks as it was printed', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(validOutput, chunkLengths, (bytes, lengths) => {
      const [filtered, printed] = [newEmulator(), newEmulator()]
      const output = new ShownOutput()
      const ended = Buffer.concat([bytes, Buffer.from('\x18')])
      filtered.write(Buffer.concat(cutInto(ended, lengths).map((chunk) => output.push(chunk))))
      printed.write(ended)
      expect(look(filtered)).toEqual(look(printed))
    }),
    { numRuns: 200 }
  )
})

test('a reset leaves the person’s scrollback, and is otherwise a reset', () => {
  const emulator = newEmulator()
  emulator.write(Buffer.from('mine\r\n'.repeat(10)))
  const history = emulator.buffer.normal.length
  const output = new ShownOutput()
  emulator.write(output.push(Buffer.from('\x1b[?1049h\x1b[?1003h\x1b[?25l\x1b[2;3r\x1b[?6h\x1b[1;31m\x1b(0qq')))
  emulator.write(output.push(Buffer.from('\x1bcnew')))
  const fresh = newEmulator()
  fresh.write(Buffer.from('new'))
  expect(emulator.buffer.active.type).toBe('normal')
  expect(emulator.buffer.normal.length).toBeGreaterThanOrEqual(history)
  expect(emulator.buffer.active.getLine(emulator.state.buffers.active.ybase)?.translateToString(true)).toBe('new')
  expect(look(emulator)).toMatchObject({ modes: fresh.modes, cursor: [3, 0], hidden: false })
})
