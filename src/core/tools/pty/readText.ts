import type { ReadAnswer } from './readSchema'

/** A read for models: one line of facts, then the text. */
export function readText(answer: ReadAnswer): string {
  const rows = answer.changed?.map(({ row, text }) => `${row}: ${text}`)
  return [factsOf(answer).join(', '), rows?.join('\n') ?? answer.content].join('\n')
}

function factsOf(answer: ReadAnswer): string[] {
  const { cursor, dimensions, fired, exited, exit_code, signal, omitted, dropped } = answer
  const facts = [`${dimensions.rows}x${dimensions.cols}`]
  if (typeof cursor === 'number') facts.push(`next cursor ${cursor}`)
  else if (cursor) facts.push(`cursor at row ${cursor.row}, col ${cursor.col}`)
  if (answer.total_lines !== undefined) facts.push(`${answer.lines} of ${answer.total_lines} lines`)
  if (answer.revision !== undefined) facts.push(`revision ${answer.revision}`)
  if (answer.prompt_detected) facts.push(answer.prompt_source === 'shell' ? 'at the prompt' : 'looks like a prompt')
  if (fired) facts.push(fired === 'timeout' ? 'timed out, still running' : `ended by ${fired}`)
  if (exited) facts.push(`exited with ${signal ?? `code ${exit_code ?? 'unknown'}`}`)
  if (answer.alternate_screen) facts.push('full-screen program: use view screen')
  if (answer.needs_person) facts.push('waits for a password or the like: ask the person to type it')
  if (dropped) facts.push(`${answer.dropped_exact ? '' : 'about '}${dropped} older bytes were dropped`)
  if (omitted > 0) facts.push(`${omitted} characters omitted: read on`)
  if (answer.encoding === 'base64') facts.push('base64')
  return facts
}
