import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Fifo, openFifo } from './fifo'

const run = promisify(execFile)

let folder: string
const opened: Fifo[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-fifo-'))
})

afterEach(() => {
  for (const fifo of opened.splice(0)) fifo.close()
  rmSync(folder, { recursive: true })
})

async function reading(name: string) {
  const path = join(folder, name)
  const pieces: Buffer[] = []
  await run('mkfifo', [path])
  opened.push(openFifo(path, (bytes) => pieces.push(bytes)))
  return { path, text: () => Buffer.concat(pieces).toString('latin1') }
}

test('a flood through several FIFOs is read whole and in order, and what was read stays as it was', async () => {
  const readers = await Promise.all(['a', 'b', 'c'].map(reading))
  const lines = 40_000
  await Promise.all(
    readers.map(({ path }, place) => run('sh', ['-c', `seq -f "${place}-%.0f" ${lines} | cat >${path}`]))
  )
  for (const [place, { text }] of readers.entries()) {
    const expected = Array.from({ length: lines }, (_, line) => `${place}-${line + 1}\n`).join('')
    await expect.poll(() => text().length).toBe(expected.length)
    expect(text() === expected).toBe(true)
  }
})

test('writers may come and go, and one that writes little is heard as well', async () => {
  const { path, text } = await reading('d')
  for (const word of ['one', 'two', 'three']) await run('sh', ['-c', `printf ${word} >${path}`])
  await expect.poll(text).toBe('onetwothree')
})
