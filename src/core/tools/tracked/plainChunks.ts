import type { Size } from '../../../shared/terminal'
import { Emulator } from '../../terminal/emulator'
import { readLines } from '../../terminal/screenLines'

/** Of one chunk; more rows than fit into it. */
const HISTORY_ROWS = 5000
const SLICE_MS = 4
/** Empties screen and history, and leaves the pen: a chunk may have begun what the next one goes on with. */
const EMPTIED = Buffer.from('\x1b[H\x1b[2J\x1b[3J')

/** Each chunk as it looks on a screen of its own, for agents; in slices, so that the host goes on. */
export async function plainChunks(chunks: readonly Buffer[], size: Size, signal: AbortSignal): Promise<string[]> {
  const emulator = new Emulator(size, HISTORY_ROWS, { answer: () => undefined, title: () => undefined })
  const texts: string[] = []
  let deadline = performance.now() + SLICE_MS
  try {
    for (const chunk of chunks) {
      emulator.write(chunk)
      texts.push(await shown(emulator, signal))
      emulator.write(EMPTIED)
      if (performance.now() < deadline) continue
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      deadline = performance.now() + SLICE_MS
    }
  } finally {
    emulator.dispose()
  }
  return texts
}

async function shown(emulator: Emulator, signal: AbortSignal): Promise<string> {
  const lines = await readLines(emulator, signal)
  const { x, y, ybase } = emulator.state.buffers.active
  const isOnNewRow = x === 0 && ybase + y >= (lines[0]?.row ?? 0)
  const text = lines
    .reverse()
    .map((line) => line.text.trimEnd())
    .join('\n')
  return isOnNewRow && (ybase + y > 0 || text !== '') ? `${text}\n` : text
}
