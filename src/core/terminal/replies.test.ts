import { expect, test, vi } from 'vitest'
import { InputFilter } from './replies'
import { cutInto } from './streams.testing'

const kept = (text: string): string => Buffer.from(new InputFilter().take(Buffer.from(text))).toString()

test.each([
  ['DA1', '\x1b[?62;22c'],
  ['DA2', '\x1b[>0;276;0c'],
  ['DA3', '\x1bP!|00000000\x1b\\'],
  ['DSR', '\x1b[0n'],
  ['CPR', '\x1b[24;80R'],
  ['CPR in the first column', '\x1b[1;1R'],
  ['DECXCPR', '\x1b[?5;7;1R'],
  ['DECRPM', '\x1b[?2026;2$y'],
  ['ANSI mode report', '\x1b[4;2$y'],
  ['DECRQSS', '\x1bP1$r0m\x1b\\'],
  ['XTVERSION', '\x1bP>|xterm.js(6.0.0)\x1b\\'],
  ['foreground colour', '\x1b]10;rgb:ffff/ffff/ffff\x1b\\'],
  ['background colour', '\x1b]11;rgb:0000/0000/0000\x07'],
  ['palette colour', '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\'],
  ['window size', '\x1b[8;24;80t'],
  ['pixel size', '\x1b[4;600;800t'],
  ['kitty keyboard flags', '\x1b[?1u']
])('%s is taken out', (_, reply) => {
  expect(kept(reply)).toBe('')
  expect(kept(`a${reply}${reply}b`)).toBe('ab')
})

test.each([
  ['text', 'echo c; R n'],
  ['arrows', '\x1b[A\x1bOB\x1b[1;5C'],
  ['F3 and F3 with modifiers', '\x1bOR\x1b[1;2R\x1b[1;3R\x1b[1;4R\x1b[1;5R\x1b[1;6R\x1b[1;7R\x1b[1;8R'],
  ['Home, End, Delete', '\x1b[H\x1b[F\x1b[3~\x1b[3;5~'],
  ['focus in and out', '\x1b[I\x1b[O'],
  ['mouse reports', '\x1b[<0;10;5M\x1b[<0;10;5m'],
  ['kitty keys', '\x1b[97;5u'],
  ['Alt and Escape', '\x1b\x1bc\x1bn\x1bR'],
  ['a paste of anything', '\x1b[200~\x1b[24;80R\x1b[201~'],
  ['characters of other scripts', 'é日\x1b[A👩']
])('%s passes unchanged', (_, keys) => {
  expect(kept(keys)).toBe(keys)
})

test('a paste passes unchanged in however many pieces, and replies around it do not', () => {
  const reply = '\x1b[24;80R'
  const paste = `\x1b[200~text ${reply} more\x1b[20 ${reply}\x1b[201~`
  for (let length = 1; length <= paste.length; length++) {
    const filter = new InputFilter()
    const take = (bytes: Buffer) => Buffer.from(filter.take(bytes)).toString()
    expect(take(Buffer.from(`${reply}a\x1b[200~`))).toBe('a\x1b[200~')
    const rest = cutInto(Buffer.from(paste.slice(6)), [length])
    expect(rest.map(take).join('')).toBe(paste.slice(6))
    expect(take(Buffer.from(`${reply}b`))).toBe('b')
  }
  expect(kept(`${reply}a${paste}${reply}b${paste}${reply}`)).toBe(`a${paste}b${paste}`)
})

test('a paste that is never ended lets replies pass for a moment only', () => {
  vi.useFakeTimers()
  try {
    const filter = new InputFilter()
    filter.take(Buffer.from('\x1b[200~half'))
    vi.advanceTimersByTime(1500)
    expect(filter.take(Buffer.from('\x1b[24;80R'))).toHaveLength(0)
  } finally {
    vi.useRealTimers()
  }
})
