import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OutputText, type ScreenState } from './outputText'
import { cutInto, PROPERTY_TIMEOUT_MS } from './streams.testing'

const size = { rows: 6, cols: 20 }

function rendered(output: string | Buffer, before?: ScreenState, at = size): { text: string; after: ScreenState } {
  const text = new OutputText(at, before)
  for (const piece of cutInto(Buffer.from(output), [text.pieceBytes])) text.add(piece)
  const result = { text: text.text(), after: text.state() }
  text.dispose()
  return result
}

const textOf = (output: string, before?: ScreenState) => rendered(output, before).text

/** What two readers get who read in two goes. */
function inTwo(output: Buffer, cut: number): string {
  const first = rendered(output.subarray(0, cut))
  return first.text + rendered(output.subarray(cut), first.after).text
}

describe('output reads as a person saw it', () => {
  test.each([
    ['plain lines', 'one\r\ntwo\r\n$ ', 'one\ntwo\n$ '],
    ['a progress bar', '10%\r20%\r100%\r\ndone\r\n', '100%\ndone\n'],
    ['backspaces', 'lx\b \bs\r\n', 'ls\n'],
    ['a line erased', 'wrong\x1b[2K\rright\r\n', 'right\n'],
    ['colours', '\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[m\r\n', 'red and bold\n'],
    ['a cursor that goes up', 'a: 0%\r\nb: 0%\r\n\x1b[2Aa: 9%\r\nb: 8%\r\n', 'a: 9%\nb: 8%\n'],
    ['a line that wraps', `${'x'.repeat(45)}\r\nend`, `${'x'.repeat(45)}\nend`],
    ['wide characters that wrap', `${'日本'.repeat(12)}\r\n`, `${'日本'.repeat(12)}\n`],
    ['blank lines', '\r\n\r\na\r\n\r\n', '\n\na\n\n'],
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a screen that is cleared', 'first\r\n\x1b[H\x1b[2Jsecond', 'first\nsecond'],
    ['a full-screen program that ended', 'a\r\n\x1b[?1049h\x1b[Hmenu\x1b[?1049lb\r\n', 'a\nb\n']
  ])('%s', (_, output, text) => expect(textOf(output)).toBe(text))

  test('more lines than the screen has, all of them', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('')
    expect(textOf(lines.replaceAll('\n', '\r\n'))).toBe(lines)
  })
})

describe('output that goes on from a screen', () => {
  test('begins where the cursor was', () => {
    const { after } = rendered('hello\r\n$ ')
    expect(textOf('ls\r\nfile\r\n$ ', after)).toBe('ls\nfile\n$ ')
    expect(textOf('', after)).toBe('')
  })

  test('a line that is drawn again is given whole', () => {
    const { after } = rendered('building 10%')
    expect(textOf('\rbuilding 20%', after)).toBe('building 20%')
    expect(textOf('\r\x1b[Kdone\r\n', after)).toBe('done\n')
  })

  test('a full-screen program shows the rows that changed', () => {
    const { after } = rendered('$ menu\r\n\x1b[?1049h\x1b[Hone\r\ntwo\r\nthree')
    expect(textOf('\x1b[2;1H\x1b[7mtwo!\x1b[0m', after)).toBe('two!')
    expect(textOf('\x1b[?1049l$ ', after)).toBe('$ ')
  })

  test('a screen of another size is taken over', () => {
    const { after } = rendered('$ ')
    expect(rendered('ls\r\n', after, { rows: 30, cols: 100 }).text).toBe('ls\n')
  })
})

/** Lines of several scripts, some longer than the screen is wide. */
const lines = fc
  .array(fc.array(fc.constantFrom('word ', 'x', ' ', '日本', 'é', '\t', '0123456789abcdef'), { maxLength: 12 }), {
    maxLength: 15
  })
  .map((all) => all.map((words) => words.join('')).join('\r\n'))

test(
  'plain lines read in two goes are the whole, wherever they are cut',
  () => {
    fc.assert(
      fc.property(lines, fc.nat(), (text, position) => {
        const output = Buffer.from(text)
        const characters = [...text]
        const cut = Buffer.byteLength(characters.slice(0, position % (characters.length + 1)).join(''))
        expect(inTwo(output, cut)).toBe(rendered(output).text)
      })
    )
  },
  PROPERTY_TIMEOUT_MS
)
