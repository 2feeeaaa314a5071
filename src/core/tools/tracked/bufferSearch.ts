import { patterns } from '../../terminal/patterns'
import type { ScreenLine } from '../../terminal/screenLines'
import type { Terminal } from '../../terminal/terminal'

export interface Query {
  query: string
  isRegex: boolean
  isCaseSensitive: boolean
}

/** A line that matched, and where in it. */
export interface Found {
  line: ScreenLine
  at: number
}

/** So many characters go to the thread that knows patterns at a time. */
const BATCH_CHARACTERS = 500_000
const SLICE_MS = 4
const LINES_PER_LOOK = 64

/** The lines of a terminal's history and screen that match, newest first; in slices, so that the host goes on. */
export async function searchTerminal(terminal: Terminal, query: Query, signal: AbortSignal): Promise<Found[]> {
  const lines = await terminal.screen.lines(signal)
  return query.isRegex ? byPattern(lines, query, signal) : byWords(lines, query, signal)
}

async function byWords(lines: readonly ScreenLine[], query: Query, signal: AbortSignal): Promise<Found[]> {
  const fold = (text: string): string => (query.isCaseSensitive ? text : text.toLowerCase())
  const words = fold(query.query)
  const found: Found[] = []
  let deadline = performance.now() + SLICE_MS
  for (const [index, line] of lines.entries()) {
    const at = fold(line.text).indexOf(words)
    if (at >= 0) found.push({ line, at })
    if (index % LINES_PER_LOOK !== 0 || performance.now() < deadline) continue
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    deadline = performance.now() + SLICE_MS
  }
  return found
}

async function byPattern(lines: readonly ScreenLine[], query: Query, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = []
  for (const batch of batches(lines)) {
    const texts = batch.map(({ text }) => text)
    const matches = await patterns.findEach(query.query, texts, { ignoreCase: !query.isCaseSensitive })
    signal.throwIfAborted()
    for (const [index, line] of batch.entries()) {
      const match = matches[index]
      if (match) found.push({ line, at: match.start })
    }
  }
  return found
}

function* batches(lines: readonly ScreenLine[]): Generator<ScreenLine[]> {
  let batch: ScreenLine[] = []
  let characters = 0
  for (const line of lines) {
    batch.push(line)
    characters += line.text.length
    if (characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
