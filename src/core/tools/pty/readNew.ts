import { isUtf8 } from 'node:buffer'
import type { LogRead, OutputLog } from '../../terminal/outputLog'
import { renderOutput } from '../../terminal/renderOutput'
import { screenBefore } from '../../terminal/screenBefore'
import type { Terminal } from '../../terminal/terminal'
import type { ReadArguments } from './readSchema'
import type { ViewAnswer } from './readTerminal'
import { readersOf } from './terminalOf'

/** More than this is never looked through for one answer. */
const MAX_BYTES = 8_388_608
const BASE64_GROUP = { bytes: 3, characters: 4 }

interface Unread {
  bytes: Buffer
  /** Offset of the first byte. */
  from: number
  /** Offset of the byte after so many of them: output that was missed lies between. */
  offsetAfter(taken: number): number
  dropped: number
  droppedExact: boolean
}

/** What this reader has not read yet, from the beginning; with `cursor` what comes after that, for anybody. */
export async function readNew(terminal: Terminal, args: ReadArguments, reader: string): Promise<ViewAnswer> {
  const readers = readersOf(terminal)
  const unread = unreadOf(terminal.log, args.cursor ?? readers.mark(reader) ?? 0)
  const { dropped, droppedExact } = unread
  const read = args.format === 'raw' ? rawPart(unread.bytes, args.max_chars) : await plainPart(terminal, unread, args)
  const next = unread.offsetAfter(read.taken)
  if (args.cursor === undefined) readers.moveMark(reader, next)
  return { ...read.answer, cursor: next, ...(dropped > 0 ? { dropped, dropped_exact: droppedExact } : {}) }
}

/** Everything kept from `start` on. */
function unreadOf(log: OutputLog, start: number): Unread {
  const parts: LogRead[] = []
  let bytes = 0
  for (let position = start; ; position = parts.at(-1)?.next ?? log.end) {
    const part = log.read(position, MAX_BYTES - bytes)
    parts.push(part)
    bytes += part.bytes.length
    if (part.next >= log.end || bytes >= MAX_BYTES || part.bytes.length === 0) break
  }
  return {
    bytes: parts.length === 1 ? (parts[0]?.bytes ?? Buffer.alloc(0)) : Buffer.concat(parts.map((part) => part.bytes)),
    from: parts[0]?.from ?? start,
    offsetAfter: (taken) => offsetAfter(parts, taken),
    dropped: parts.reduce((sum, part) => sum + part.dropped, 0),
    droppedExact: parts.every((part) => part.droppedExact)
  }
}

function offsetAfter(parts: readonly LogRead[], taken: number): number {
  let left = taken
  for (const part of parts) {
    if (left < part.bytes.length || part === parts.at(-1)) return part.from + left
    left -= part.bytes.length
  }
  return left
}

async function plainPart(terminal: Terminal, { bytes, from, offsetAfter }: Unread, { max_chars }: ReadArguments) {
  const readers = readersOf(terminal)
  const before = bytes.length > 0 ? await screenBefore(terminal, from, readers) : undefined
  const request = { bytes, size: terminal.size, before, maxCharacters: max_chars }
  const { text, taken, omitted, after, isFullScreen } = await renderOutput(request)
  if (bytes.length > 0) readers.remember(offsetAfter(taken), after)
  const lines = text === '' ? 0 : text.split('\n').length
  return { taken, answer: { content: text, lines, omitted, alternate_screen: isFullScreen } }
}

/** The program's own bytes, in whole characters; as base64 where they are no text. */
function rawPart(bytes: Buffer, maxCharacters: number) {
  const isText = isUtf8(bytes)
  const taken = isText ? textLength(bytes, maxCharacters) : base64Length(bytes, maxCharacters)
  const part = bytes.subarray(0, taken)
  const content = isText ? part.toString('utf8') : part.toString('base64')
  const encoding = isText ? ('utf8' as const) : ('base64' as const)
  const omitted = isText ? bytes.toString('utf8', taken).length : bytes.toString('base64').length - content.length
  const lines = content === '' ? 0 : content.split('\n').length
  return { taken, answer: { content, lines, omitted, encoding, alternate_screen: false } }
}

function textLength(bytes: Buffer, maxCharacters: number): number {
  const text = bytes.toString('utf8')
  if (text.length <= maxCharacters) return bytes.length
  const cut = text.slice(0, maxCharacters)
  // A character of two units is not cut in two, and one that fills the whole answer is not left out for ever.
  const whole = /[\ud800-\udbff]$/.test(cut) ? text.slice(0, Math.max(2, maxCharacters - 1)) : cut
  return Buffer.byteLength(whole)
}

function base64Length(bytes: Buffer, maxCharacters: number): number {
  const groups = Math.max(1, Math.floor(maxCharacters / BASE64_GROUP.characters))
  return Math.min(bytes.length, groups * BASE64_GROUP.bytes)
}
