import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROW = 'the quick brown fox jumps over the lazy dog and runs from build to test to release '.slice(0, 79)

const LINES = {
  ascii: (number) => `${String(number).padStart(8)} ${ROW.slice(9)}`,
  colour: (number) =>
    `${ROW.slice(0, 60)
      .split(' ')
      .map((word, place) => `\x1b[${place % 2 ? 1 : 0};38;5;${(number + place * 7) % 256}m${word}\x1b[0m`)
      .join(' ')}`,
  cjk: (number) => `${'日本語の文章と絵文字😀🎉한국어中文'.repeat(2)} ${number % 10}`,
  // What builds and tests print: mostly plain, here and there a colour.
  mixed: (number) =>
    number % 4 ? LINES.ascii(number) : `\x1b[32m✓\x1b[0m ${ROW.slice(0, 60)} \x1b[2m${number} ms\x1b[0m`
}

/** A file of lines of one kind; the same content however often it is asked for. */
export function streamFile({ root }, kind, bytes) {
  const path = join(root, `${kind}-${bytes}.txt`)
  if (!existsSync(path)) writeFileSync(path, streamLines(kind, bytes))
  return path
}

function streamLines(kind, bytes) {
  const lines = []
  for (let total = 0, number = 0; total < bytes; number += 1) {
    const line = `${LINES[kind](number)}\n`
    lines.push(line)
    total += Buffer.byteLength(line)
  }
  return lines.join('')
}

/** What a terminal sends for this file: every newline leaves it as two bytes. */
export function wireBytes(file) {
  const content = readFileSync(file)
  let lines = 0
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines += 1
  return content.length + lines
}
