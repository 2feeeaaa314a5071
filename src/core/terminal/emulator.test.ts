import { describe, expect, test } from 'vitest'
import { Emulator, type StyledCell } from './emulator'

const SIZE = { rows: 24, cols: 80 }

function linesAfter(text: string): string[] {
  const emulator = new Emulator(SIZE, 100, { answer: () => undefined, title: () => undefined })
  emulator.write(Buffer.from(text))
  const { active } = emulator.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString() ?? '')
  const cursor = `${active.cursorX} ${active.cursorY}`
  emulator.dispose()
  return [cursor, ...lines]
}

// Without a limit each of these keeps the emulator, and the whole host with it, busy for hours.
test.each(['L', 'M', 'S', 'T', 'I', 'Z', 'b', '@', 'P', 'X', 'A', 'B', 'C', 'D'])(
  'a count of two thousand million for "%s" does what the size of the screen does',
  (final) => {
    const screen = `${Array.from({ length: 20 }, (_, row) => `line ${row}`).join('\r\n')}\x1b[5;3H`
    const most = 'LMST'.includes(final) ? SIZE.rows : SIZE.cols
    const whole = linesAfter(`${screen}\x1b[${most}${final}`)
    for (const count of ['2147483647', '999999999999', '2147483647;2147483647']) {
      expect(linesAfter(`${screen}\x1b[${count}${final}`)).toEqual(whole)
      expect(linesAfter(`${screen}\x9b${count}${final}`.replace('\x9b', '\u009b'))).toEqual(whole)
    }
  }
)

test('a count within the screen is carried out as it is', () => {
  expect(linesAfter('a\r\nb\r\nc\x1b[2S')[1]?.trim()).toBe('c')
  expect(linesAfter('a\x1b[5b')[1]?.trim()).toBe('aaaaaa')
})

describe('a string', () => {
  function titlesAfter(text: string): { titles: string[]; answers: string[] } {
    const heard = { titles: [] as string[], answers: [] as string[] }
    const events = {
      answer: (data: string) => heard.answers.push(data),
      title: (title: string) => heard.titles.push(title)
    }
    const emulator = new Emulator(SIZE, 100, events)
    for (let at = 0; at < text.length; at += 65_536) emulator.write(Buffer.from(text.slice(at, at + 65_536)))
    emulator.dispose()
    return heard
  }

  test('longer than 64 kB is dropped whole, and the next one is taken', () => {
    const long = 'x'.repeat(70_000)
    const { titles, answers } = titlesAfter(`\x1b]0;${long}\x07\x1b]2;next\x07\x1bP$q${long}\x1b\\\x1bP$qm\x1b\\`)
    expect(titles).toEqual(['next'])
    expect(answers).toEqual(['\x1bP1$r0m\x1b\\'])
  })

  test('below that is taken as it is', () => {
    expect(titlesAfter(`\x1b]0;${'x'.repeat(60_000)}\x07`).titles[0]).toHaveLength(60_000)
  })
})

describe('a cell', () => {
  test('keeps every mark that a person writes', () => {
    for (const character of ['é', 'e\u0301\u0302\u0323', '👩🏽‍❤️‍💋‍👨🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'ก็็็']) {
      expect(linesAfter(character)[1]?.trim()).toBe(character)
    }
  })

  test('keeps no thousands of them', () => {
    const [, line = ''] = linesAfter(`a${'\u0301'.repeat(10_000)}b`)
    expect(line.trim().length).toBeLessThan(100)
    expect(line.trim()).toMatch(/^a\u0301+b$/)
  })
})

test('ten thousand links are kept, more are plain text', () => {
  const emulator = new Emulator(SIZE, 10_000, { answer: () => undefined, title: () => undefined })
  const link = (number: number) => `\x1b]8;id=${number};https://x/${number}\x07l\x1b]8;;\x07`
  for (let number = 0; number < 12_000; number++) emulator.write(Buffer.from(link(number)))
  const { active } = emulator.buffer
  const linkAt = (index: number) => {
    // The cell shows its packed style, as the snapshot writer reads it.
    const cell = active.getLine(Math.floor(index / SIZE.cols))?.getCell(index % SIZE.cols) as unknown as StyledCell
    return emulator.state._oscLinkService.getLinkData(cell.extended.urlId)?.uri
  }
  expect([linkAt(0), linkAt(9_999), linkAt(10_001), linkAt(11_999)]).toEqual([
    'https://x/0',
    'https://x/9999',
    undefined,
    undefined
  ])
  emulator.dispose()
})
