import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { corpus } from './screenCorpus.testing'
import { screenPage } from './screenPages'
import { look, newEmulator } from './streams.testing'
import { WholeSequences } from './wholeSequences'

// Loaded by the emulator already, in the way it needs.
const { UnicodeGraphemesAddon } = await import('@xterm/addon-unicode-graphemes')

const SIZE = { rows: 8, cols: 24 }

test('there are at least sixty streams, each with a name of its own', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

test.each(corpus)('$name: the text of the bare emulator', async ({ output, resizedTo }) => {
  const bare = new xterm.Terminal({ ...SIZE, scrollback: 200, allowProposedApi: true })
  // The one thing the product adds: widths as the window measures them.
  bare.loadAddon(new UnicodeGraphemesAddon() as unknown as xterm.ITerminalAddon)
  await new Promise<void>((resolve) => bare.write(output, resolve))
  if (resizedTo) bare.resize(resizedTo.cols, resizedTo.rows)
  const { active } = bare.buffer
  const rows = Array.from({ length: bare.rows }, (_, row) =>
    active
      .getLine(active.baseY + row)
      ?.translateToString(true)
      .trimEnd()
  )
  const ours = newEmulator(SIZE)
  ours.write(Buffer.from(output))
  if (resizedTo) ours.resize(resizedTo)
  const page = screenPage(ours, 'plain')
  expect(page.rows).toEqual(rows)
  expect(page.cursor).toEqual({ row: active.cursorY + 1, col: Math.min(active.cursorX, bare.cols - 1) + 1 })
  bare.dispose()
  ours.dispose()
})

test.each(corpus)('$name: the same screen, whole and cut at every byte', ({ output, resizedTo }) => {
  const bytes = Buffer.from(output)
  const whole = newEmulator(SIZE)
  whole.write(bytes)
  if (resizedTo) whole.resize(resizedTo)
  const expected = look(whole)
  for (let cut = 1; cut < bytes.length; cut++) {
    const emulator = newEmulator(SIZE)
    const sequences = new WholeSequences()
    for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) emulator.write(sequences.push(part))
    emulator.write(sequences.flush())
    if (resizedTo) emulator.resize(resizedTo)
    expect(look(emulator)).toEqual(expected)
    emulator.dispose()
  }
  expect(screenPage(whole, 'plain').rows).toHaveLength((resizedTo ?? SIZE).rows)
  whole.dispose()
})
