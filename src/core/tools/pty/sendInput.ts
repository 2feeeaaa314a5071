import { AppError, type Warning } from '../../../shared/errors'
import type { Agent } from '../../../shared/terminal'
import type { Terminal } from '../../terminal/terminal'

/** Larger input goes in parts, so that it can be said how much of it was taken. */
const PART_BYTES = 65_536
/** A program that does not read in this time is not waited for. */
const LIMIT_MS = 15_000
/** What the kernel takes of one line when a program reads line by line. */
const MAX_LINE_BYTES = 4095
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

export interface Sent {
  /** All of it was taken. */
  sent: boolean
  bytes: number
  accepted_bytes: number
  warnings: Warning[]
}

/** Gives input to a program and says honestly what became of it. */
export async function sendInput(terminal: Terminal, bytes: Buffer, agent: Agent): Promise<Sent> {
  const lost = await lostToLongLines(terminal, bytes)
  const taken =
    bytes.length <= PART_BYTES
      ? await inTime(terminal.write(bytes, agent), bytes.length)
      : await inParts(terminal, bytes, agent)
  const warnings: Warning[] = []
  if (taken < bytes.length) warnings.push(notTaken(bytes.length - taken))
  if (lost > 0) warnings.push(cutLine(lost))
  const accepted = Math.max(0, taken - lost)
  return { sent: accepted === bytes.length, bytes: bytes.length, accepted_bytes: accepted, warnings }
}

async function inParts(terminal: Terminal, bytes: Buffer, agent: Agent): Promise<number> {
  const endsAt = performance.now() + LIMIT_MS
  return terminal.control.hold(agent, async () => {
    let taken = 0
    while (taken < bytes.length && performance.now() < endsAt) {
      const part = bytes.subarray(taken, taken + PART_BYTES)
      const count = await inTime(terminal.write(part, agent), part.length, endsAt - performance.now())
      taken += count
      if (count < part.length) break
    }
    return taken
  })
}

/** How much is surely taken: all of it once the write is done, nothing as long as it waits. */
async function inTime(write: Promise<void>, bytes: number, limitMs = LIMIT_MS): Promise<number> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(0), limitMs)
  })
  const done = write.then(() => bytes)
  // Nobody may be waiting for it any more when it fails.
  done.catch(() => undefined)
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Bytes beyond what the kernel keeps of each line, where the program reads line by line. */
async function lostToLongLines(terminal: Terminal, bytes: Buffer): Promise<number> {
  const beyond = beyondLines(bytes)
  if (beyond === 0) return 0
  return (await terminal.ttyModes())?.isCanonical ? beyond : 0
}

function beyondLines(bytes: Buffer): number {
  if (bytes.length <= MAX_LINE_BYTES) return 0
  let beyond = 0
  let length = 0
  for (const byte of bytes) {
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) length = 0
    else if (++length > MAX_LINE_BYTES) beyond++
  }
  return beyond
}

function notTaken(bytes: number): Warning {
  const message = `The program did not read ${bytes} bytes in ${LIMIT_MS / 1000} s; some may still reach it later`
  return { code: 'IO_ERROR', message }
}

function cutLine(bytes: number): Warning {
  const message = `${bytes} bytes are lost: the program reads line by line, and the system keeps ${MAX_LINE_BYTES} bytes of a line. Use a file or shorter lines.`
  return { code: 'IO_ERROR', message }
}

export function noInput(): AppError {
  return new AppError('NO_INPUT', 'No input provided (need text or key)', 'Give text, key or mouse.')
}
