import fc from 'fast-check'
import type { Size } from '../../shared/terminal'
import { Emulator } from './emulator'

/** Hundreds of random runs on a busy machine take their time. */
export const PROPERTY_TIMEOUT_MS = 60_000

/** Things programs print, each a whole: text in several scripts, controls, sequences of every kind. */
const PIECES = [
  'plain text ',
  'a long line that wraps around on a narrow screen and then wraps once more ',
  '\r\n',
  '\n',
  '\r',
  '\b',
  '\t',
  'é£ñ',
  '日本語テキスト',
  '👩‍👩‍👧',
  '🇩🇪',
  'e\u0301',
  '\x1b[1;31mred\x1b[0m',
  '\x1b[44mblue ground',
  '\x1b[2m\x1b[1m',
  '\x1b[22m',
  '\x1b[0m',
  '\x1b[7minverse',
  '\x1b[38;5;200m',
  '\x1b[48;2;10;20;30mtrue',
  '\x1b[4:3m\x1b[58:2::255:0:0mcurly\x1b[24m',
  '\x1b[9;53mlines\x1b[29;55m',
  '\x1b]8;id=x;https://example.org/\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[K',
  '\x1b[1K',
  '\x1b[2J',
  '\x1b[J',
  '\x1b[3X',
  '\x1b[2P',
  '\x1b[2@',
  '\x1b[L',
  '\x1b[M',
  '\x1b[H',
  '\x1b[3;5H',
  '\x1b[99;99H',
  '\x1b[2A',
  '\x1b[4C',
  '\x1b[5b',
  '\x1b[2;4r',
  '\x1b[r',
  '\x1b[S',
  '\x1bM',
  '\x1bD',
  '\x1b7',
  '\x1b8',
  '\x1b(0qqxx\x1b(B',
  '\x1b)0\x0eqq\x0f',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?47h',
  '\x1b[?47l',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b[?2004l',
  '\x1b[?1h',
  '\x1b=',
  '\x1b[?1004h',
  '\x1b[?1002;1006h',
  '\x1b[?6h',
  '\x1b[?6l',
  '\x1b[?7h',
  '\x1b[4l',
  '\x1b[5 q',
  '\x1b[3g',
  '\x1bH',
  '\x1b]0;a title\x07',
  '\x1b]2;ein Titel ü\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1bPq#0;2;0;0;0~~\x1b\\',
  '\x1b_application\x1b\\',
  '\x1b^private\x1b\\',
  '\x1bXstring\x1b\\',
  '\u009b1m',
  '\u009d0;title\u009c',
  '\x1b[31',
  '\x18',
  '\x1b[6n',
  '\x1b[!p'
]

const piece = fc.constantFrom(...PIECES).map((text) => Buffer.from(text))
const noise = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))

/** A program's output: pieces in any order. */
export const validOutput: fc.Arbitrary<Buffer> = streamOf(piece)

/** The same with some bytes among them that mean nothing. */
export const output: fc.Arbitrary<Buffer> = streamOf(
  fc.oneof({ weight: 20, arbitrary: piece }, { weight: 1, arbitrary: noise })
)

function streamOf(pieces: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc.array(pieces, { maxLength: 60 }).map((all) => Buffer.concat(all))
}

/** Cuts `bytes` into chunks whose lengths repeat `lengths`. */
export function cutInto(bytes: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    chunks.push(bytes.subarray(start, start + length))
    start += length
  }
  return chunks
}

export const chunkLengths: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 12 }), {
  minLength: 1,
  maxLength: 8
})

export function newEmulator(size: Size = { rows: 6, cols: 20 }, scrollback = 200): Emulator {
  return new Emulator(size, scrollback, { answer: () => undefined, title: () => undefined })
}

/** Everything a person could see, and the modes that say how the program goes on; blank cells count as spaces. */
export function look(emulator: Emulator): unknown {
  const { active, normal } = emulator.buffer
  const { x, y } = emulator.state.buffers.active
  return {
    type: active.type,
    cursor: [x, y],
    hidden: emulator.state.coreService.isCursorHidden,
    modes: emulator.modes,
    remembered: emulator.remembered,
    active: cells(emulator, active),
    normal: active.type === 'normal' ? [] : cells(emulator, normal)
  }
}

function cells({ size }: Emulator, buffer: Emulator['buffer']['active']): string[] {
  return Array.from({ length: buffer.length }, (_, row) => {
    const line = buffer.getLine(row)
    const drawn = Array.from({ length: size.cols }, (_, column) => {
      const cell = line?.getCell(column)
      if (!cell) return ''
      const isSecondHalf = cell.getWidth() === 0 && line?.getCell(column - 1)?.getWidth() === 2
      const chars = isSecondHalf ? '' : cell.getChars() || ' '
      const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isInverse(), cell.isStrikethrough()]
      const under = [cell.isUnderline(), cell.isOverline(), cell.isInvisible(), cell.isBlink()]
      const ink = chars.trim() === '' && !cell.isInverse() && !cell.isUnderline() && !cell.isStrikethrough()
      const colours = [
        ink ? '' : `${cell.getFgColorMode()}.${cell.getFgColor()}`,
        cell.getBgColorMode(),
        cell.getBgColor()
      ]
      return `${chars}|${colours.join(',')}|${ink ? '' : [...flags, ...under].map(Number).join('')}`
    })
    return drawn.join(' ')
  })
}
