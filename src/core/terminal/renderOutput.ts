import type { Size } from '../../shared/terminal'
import { OutputText, type ScreenState } from './outputText'
import { WholeSequences } from './wholeSequences'

export interface RenderRequest {
  bytes: Buffer
  size: Size
  /** The screen on which the bytes were printed, if it is known. */
  before: ScreenState | undefined
  maxCharacters: number
}

export interface Rendered {
  text: string
  /** Bytes that the text stands for: where a next reader goes on. */
  taken: number
  /** Characters of the rest. */
  omitted: number
  after: ScreenState
  /** A full-screen program runs: its part of the text are the rows that changed. */
  isFullScreen: boolean
}

/** How long rendering may hold the event loop at a time. */
const SLICE_MS = 4
const MIN_PIECE_BYTES = 64

interface Pass {
  output: OutputText
  characters: number
  /** The last place at which the text was no longer than it may be. */
  fits: { taken: number }
}

/** Renders output over several turns of the event loop. Of too much the beginning is kept, up to a whole sequence. */
export async function renderOutput(request: RenderRequest): Promise<Rendered> {
  const { bytes, maxCharacters } = request
  const whole = await pass(request, bytes.length)
  if (whole.characters <= maxCharacters) return finish(whole.output, { taken: bytes.length, omitted: 0 })
  whole.output.dispose()
  const { taken } = whole.fits.taken > 0 ? whole.fits : await fewest(request)
  const part = await pass(request, taken)
  const rendered = finish(part.output, { taken, omitted: Math.max(0, whole.characters - part.characters) })
  // A single character or sequence may already be too much; then its beginning has to do.
  const cut = rendered.text.length - maxCharacters
  if (cut <= 0) return rendered
  return { ...rendered, text: rendered.text.slice(0, maxCharacters), omitted: rendered.omitted + cut }
}

function finish(output: OutputText, { taken, omitted }: { taken: number; omitted: number }): Rendered {
  const rendered = { text: output.text(), taken, omitted, after: output.state(), isFullScreen: output.isFullScreen }
  output.dispose()
  return rendered
}

/** Where even one piece is too much it is taken in ever smaller ones. */
async function fewest(request: RenderRequest): Promise<{ taken: number }> {
  for (let pieceBytes = 512; pieceBytes > 1; pieceBytes = Math.floor(pieceBytes / 8)) {
    const { output, fits } = await pass(request, Math.min(request.bytes.length, 8 * pieceBytes), pieceBytes)
    output.dispose()
    if (fits.taken > 0) return fits
  }
  const sequences = new WholeSequences()
  for (let taken = 1; taken < request.bytes.length; taken++) {
    if (sequences.push(request.bytes.subarray(taken - 1, taken)).length > 0) return { taken }
  }
  return { taken: request.bytes.length }
}

async function pass(
  { bytes, size, before, maxCharacters }: RenderRequest,
  end: number,
  most = Infinity
): Promise<Pass> {
  const output = new OutputText(size, before)
  const sequences = new WholeSequences()
  const fits = { taken: 0 }
  let piece = Math.min(most, MIN_PIECE_BYTES)
  let isOver = false
  let sliceEnds = performance.now() + SLICE_MS
  for (let position = 0, taken = 0; position < end; ) {
    const started = performance.now()
    const part = bytes.subarray(position, Math.min(end, position + piece))
    position += part.length
    const whole = position === end ? Buffer.concat([sequences.push(part), sequences.flush()]) : sequences.push(part)
    output.add(whole)
    taken += whole.length
    isOver ||= output.mostCharacters > maxCharacters && output.text().length > maxCharacters
    if (!isOver) fits.taken = taken
    piece = fitting(piece, performance.now() - started, Math.min(most, output.pieceBytes))
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + SLICE_MS
  }
  return { output, characters: output.text().length, fits }
}

/** Some sequences cost a thousand times more than text: they are taken in smaller pieces. */
function fitting(piece: number, spentMs: number, most: number): number {
  if (spentMs > SLICE_MS)
    return Math.max(Math.min(MIN_PIECE_BYTES, most), Math.floor((piece * SLICE_MS) / (2 * spentMs)))
  return Math.min(most, piece * 2)
}
