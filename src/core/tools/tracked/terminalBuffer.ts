import { renderOutput } from '../../terminal/renderOutput'
import type { Terminal } from '../../terminal/terminal'
import { plainChunks } from './plainChunks'

export interface BufferRequest {
  lastN: number | undefined
  asString: boolean
  stripAnsi: boolean
  maxCharacters: number
}

export interface BufferOutput {
  output: string | string[]
  /** Characters left out at the beginning. */
  omitted: number
}

/** The kept output of a terminal, or its last chunks: raw, or as it looked; of too much, the end. */
export async function readBuffer(
  { log, size }: Terminal,
  { lastN = Infinity, asString, stripAnsi, maxCharacters }: BufferRequest,
  signal: AbortSignal
): Promise<BufferOutput> {
  const chunks = log.chunks(lastN)
  if (!asString) {
    const texts = stripAnsi ? await plainChunks(chunks, size, signal) : chunks.map((chunk) => chunk.toString())
    return lastTexts(texts, maxCharacters)
  }
  const bytes = Buffer.concat(chunks)
  if (!stripAnsi) return lastOf(bytes.toString(), maxCharacters)
  const { text } = await renderOutput({ bytes, size, before: undefined, maxCharacters: Number.MAX_SAFE_INTEGER })
  return lastOf(text, maxCharacters)
}

function lastOf(text: string, maxCharacters: number): { output: string; omitted: number } {
  if (text.length <= maxCharacters) return { output: text, omitted: 0 }
  let from = text.length - maxCharacters
  // Half of a pair is no character.
  if (/[\udc00-\udfff]/.test(text.charAt(from))) from++
  return { output: text.slice(from), omitted: from }
}

function lastTexts(texts: readonly string[], maxCharacters: number): BufferOutput {
  const output: string[] = []
  let room = maxCharacters
  let omitted = 0
  for (const text of texts.toReversed()) {
    const kept = lastOf(text, room)
    room -= kept.output.length
    omitted += kept.omitted
    if (kept.omitted === 0 || kept.output !== '') output.push(kept.output)
  }
  return { output: output.reverse(), omitted }
}
