import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScreenState } from './outputText'
import { renderOutput } from './renderOutput'
import { PROPERTY_TIMEOUT_MS } from './streams.testing'

const size = { rows: 6, cols: 20 }

/** All of it, a page at a time. */
async function pages(bytes: Buffer, maxCharacters: number): Promise<{ texts: string[]; omitted: number[] }> {
  const texts: string[] = []
  const omitted: number[] = []
  let before: ScreenState | undefined
  for (let position = 0; position < bytes.length; ) {
    const page = await renderOutput({ bytes: bytes.subarray(position), size, before, maxCharacters })
    expect(page.taken).toBeGreaterThan(0)
    position += page.taken
    before = page.after
    texts.push(page.text)
    omitted.push(page.omitted)
  }
  return { texts, omitted }
}

test('a million bytes are rendered in turns: the event loop goes on', async () => {
  const lines = Array.from({ length: 25_000 }, (_, index) => `line ${index} with some more words in it\r\n`).join('')
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const { text, omitted } = await renderOutput({
    bytes: Buffer.from(lines),
    size,
    before: undefined,
    maxCharacters: 2e6
  })
  clearInterval(count)
  expect(text).toBe(lines.replaceAll('\r\n', '\n'))
  expect(omitted).toBe(0)
  expect(turns).toBeGreaterThan(3)
})

test('too much keeps its beginning, says how much is left, and the next page goes on there', async () => {
  const text = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join('\n')
  const { texts, omitted } = await pages(Buffer.from(text.replaceAll('\n', '\r\n')), 5000)
  expect(texts.join('')).toBe(text)
  expect(texts.every((page) => page.length <= 5000)).toBe(true)
  expect(texts.length).toBeLessThan(12)
  expect(omitted[0]).toBe(text.length - (texts[0] ?? '').length)
  expect(omitted.at(-1)).toBe(0)
})

test(
  'pages of any size put together are the whole',
  async () => {
    const lines = fc
      .array(fc.array(fc.constantFrom('word ', 'x', '日本', 'é', '\x1b[31mred\x1b[0m'), { maxLength: 9 }), {
        maxLength: 12
      })
      .map((all) => all.map((words) => words.join('')).join('\r\n'))
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 60 }), async (text, maxCharacters) => {
        const bytes = Buffer.from(text)
        const whole = await renderOutput({ bytes, size, before: undefined, maxCharacters: 1e6 })
        const { texts } = await pages(bytes, maxCharacters)
        expect(texts.every((page) => page.length <= maxCharacters)).toBe(true)
        expect(texts.join('')).toBe(whole.text)
      }),
      { numRuns: 8 }
    )
  },
  PROPERTY_TIMEOUT_MS
)

test('sequences that cost much are rendered in turns too', async () => {
  const bytes = Buffer.from(`${'x\x1b[500L'.repeat(200)}end`)
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const { text } = await renderOutput({ bytes, size: { rows: 500, cols: 400 }, before: undefined, maxCharacters: 1e6 })
  clearInterval(count)
  expect(text).toContain('end')
  expect(turns).toBeGreaterThan(3)
})
