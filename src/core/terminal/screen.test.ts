import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RememberedModes } from '../backends/backend'
import { Emulation } from './emulation'
import { NO_MODES, newScreen, SIZE } from './screenFixture.testing'
import { scrollbackPage } from './screenPages'
import { look, newEmulator, PROPERTY_TIMEOUT_MS, validOutput } from './streams.testing'
import { WholeSequences } from './wholeSequences'

test('a snapshot and the bytes after it show what all the bytes show', { timeout: PROPERTY_TIMEOUT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(validOutput, validOutput, async (first, second) => {
      const sequences = new WholeSequences()
      const before = sequences.push(first)
      const after = sequences.push(second)
      const screen = newScreen()
      screen.push(before)
      const snapshot = await screen.snapshot()
      expect(snapshot.offset).toBe(before.length)
      const joined = newEmulator()
      joined.write(snapshot.bytes)
      const whole = newEmulator()
      whole.write(before)
      expect(look(joined)).toEqual(look(whole))
      joined.write(after)
      whole.write(after)
      expect(look(joined)).toEqual(look(whole))
    }),
    { numRuns: 200 }
  )
})

test('a snapshot is of exactly the bytes before it, though more come while it waits', async () => {
  const screen = newScreen()
  const before = Buffer.from('line\r\n'.repeat(20_000))
  screen.push(before)
  const taken = screen.snapshot()
  screen.push(Buffer.from('later'))
  const { bytes, offset } = await taken
  expect(offset).toBe(before.length)
  expect(Buffer.from(bytes).toString()).not.toContain('later')
})

test('resizes take effect between the bytes before and after them', async () => {
  const screen = newScreen()
  const wide = 'x'.repeat(30)
  const filling = Buffer.from(`${'f'.repeat(10)}\r\n`.repeat(5000))
  screen.push(filling)
  screen.push(Buffer.from(`\x1b[2J\x1b[H${wide}\r\n`))
  screen.resize({ rows: 6, cols: 40 })
  screen.push(Buffer.from(wide))
  await screen.caughtUp()
  const direct = newEmulator()
  direct.write(filling)
  direct.write(Buffer.from(`\x1b[2J\x1b[H${wide}\r\n`))
  direct.resize({ rows: 6, cols: 40 })
  direct.write(Buffer.from(wide))
  const joined = newEmulator({ rows: 6, cols: 40 })
  joined.write((await screen.snapshot()).bytes)
  expect(look(joined)).toEqual(look(direct))
})

test.each([
  ['a character', 'x'],
  ['a blank of another colour', '\x1b[41m \x1b[0m']
])('a snapshot keeps %s that was drawn over the second half of a wide one', async (_, drawn) => {
  const screen = newScreen()
  const bytes = Buffer.from(`\x1b[?7l\x1b[19G日${drawn}\r\nnext`)
  screen.push(bytes)
  const [joined, direct] = [newEmulator(), newEmulator()]
  joined.write((await screen.snapshot()).bytes)
  direct.write(bytes)
  expect(look(joined)).toEqual(look(direct))
})

test('a snapshot in insert mode goes on inserting', async () => {
  const screen = newScreen()
  const before = Buffer.from('tail\x1b[H\x1b[4hab')
  screen.push(before)
  const joined = newEmulator()
  joined.write((await screen.snapshot()).bytes)
  const whole = newEmulator()
  whole.write(before)
  for (const emulator of [joined, whole]) emulator.write(Buffer.from('cd'))
  expect(look(joined)).toEqual(look(whole))
})

test('modes that the typings hide survive a snapshot', async () => {
  const screen = newScreen()
  screen.push(
    Buffer.from('\x1b[?7l\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?66h\x1b[3 q\x1b[?2004h\x1b[2;4r\x1b[3g\x1b[5G\x1bH')
  )
  const { bytes } = await screen.snapshot()
  const text = Buffer.from(bytes).toString()
  for (const mode of ['?7l', '?1003h', '?1006h', '?25l', '?66h', '3 q', '?2004h', '2;4r', '3g']) {
    expect(text).toContain(`\x1b[${mode}`)
  }
})

test('an emoji is two columns wide, as it is in the window', async () => {
  const screen = newScreen()
  screen.push(Buffer.from('👩‍👩‍👧|🙂|日|e\u0301|'))
  await screen.caughtUp()
  const emulator = newEmulator()
  emulator.write((await screen.snapshot()).bytes)
  const line = emulator.buffer.active.getLine(0)
  expect([0, 3, 6, 9].map((column) => line?.getCell(column)?.getWidth())).toEqual([2, 2, 2, 1])
})

test('the emulator of a tmux terminal never answers, that of a pty terminal does once', async () => {
  const answers: string[] = []
  const query = Buffer.from('\x1b[6n')
  newScreen().push(query)
  newScreen({ answer: (data) => answers.push(data) }).push(query)
  expect(answers).toEqual(['\x1b[1;1R'])
})

test('what is replayed by a restore is never answered', async () => {
  const answers: string[] = []
  const screen = newScreen({ answer: (data) => answers.push(data) })
  const bytes = Buffer.from('\x1b[6n\x1b[c'.repeat(1000))
  screen.restore({ size: SIZE, bytes, pending: Buffer.alloc(0) }, { offset: 0, modes: NO_MODES })
  await screen.caughtUp()
  expect(answers).toEqual([])
})

test('a restore replaces everything, with the modes that were remembered', async () => {
  const screen = newScreen()
  screen.push(Buffer.from('old\x1b]0;half a title'))
  const modes = { bracketedPaste: true, focusReporting: true, cursorShape: 5 }
  screen.restore(
    { size: { rows: 4, cols: 30 }, bytes: Buffer.from('new'), pending: Buffer.alloc(0) },
    { offset: 77, modes }
  )
  await screen.caughtUp()
  expect(screen.text()).toEqual(['new', '', '', ''])
  expect(screen.modes).toMatchObject({ bracketedPaste: true, focusReporting: true, cursorShape: 5 })
  expect(await screen.snapshot()).toMatchObject({ offset: 77, size: { rows: 4, cols: 30 } })
})

test('modes that must be remembered are reported when they change', async () => {
  const seen: RememberedModes[] = []
  const screen = newScreen({ onModes: (modes) => seen.push(modes) })
  for (const bytes of ['\x1b[?2004h', 'text', '\x1b[4 q', '\x1bc']) {
    screen.push(Buffer.from(bytes))
    await screen.caughtUp()
  }
  expect(seen).toEqual([
    { bracketedPaste: true, focusReporting: false, cursorShape: 0 },
    { bracketedPaste: true, focusReporting: false, cursorShape: 4 },
    NO_MODES
  ])
})

test('a backlog that is too long is reported once, and no byte of it is dropped', async () => {
  let behind = 0
  const screen = newScreen({ onBehind: async () => void behind++ })
  const megabyte = Buffer.from('0123456789abcd\r\n'.repeat(65_536))
  for (let sent = 0; sent < 10; sent++) screen.push(megabyte)
  screen.push(Buffer.from('the end'))
  expect(behind).toBe(1)
  const { offset } = await screen.snapshot()
  expect(offset).toBe(10 * megabyte.length + 7)
  expect(screen.text().at(-1)).toBe('the end')
})

test('a restore that failed is not asked for with every byte, but again after the backlog was worked off', async () => {
  let asked = 0
  const screen = newScreen({ onBehind: async () => void asked++ })
  const megabyte = Buffer.from('0123456789abcd\r\n'.repeat(65_536))
  for (let round = 1; round <= 2; round++) {
    for (let sent = 0; sent < 12; sent++) {
      screen.push(megabyte)
      await Promise.resolve()
    }
    expect(asked).toBe(round)
    await screen.caughtUp()
  }
})

test('what waits for a terminal that goes away waits no more', () => {
  const emulation = new Emulation()
  const screen = newScreen({ emulation })
  screen.push(Buffer.alloc(500_000, 'x'))
  expect(emulation.waiting.total).toBe(500_000)
  screen.dispose()
  screen.restore(
    { size: SIZE, bytes: Buffer.from('too late'), pending: Buffer.alloc(0) },
    { offset: 9, modes: NO_MODES }
  )
  expect(emulation.waiting.total).toBe(0)
})

test('the visible screen is available while a long backlog is being parsed', async () => {
  const screen = newScreen()
  for (let sent = 0; sent < 40; sent++) screen.push(Buffer.from('0123456789abcd\r\n'.repeat(4096)))
  await new Promise(setImmediate)
  const { bytes, offset } = await screen.screenSnapshot()
  expect(screen.backlogBytes).toBeGreaterThan(0)
  expect(offset % 16).toBe(0)
  expect(Buffer.from(bytes).toString()).toContain('0123456789abcd')
})

test('text is the visible rows, scrollback is history and screen without the blank end', async () => {
  const screen = newScreen({ size: { rows: 3, cols: 10 } })
  screen.push(Buffer.from('one\r\ntwo\r\nthree  \r\nfour\r\n'))
  expect(screen.text()).toEqual(['three', 'four', ''])
  const page = await screen.inspect((emulator) => scrollbackPage(emulator, { offset: 0, limit: 100, format: 'plain' }))
  expect(page.rows).toEqual(['one', 'two', 'three', 'four'])
})

test('who waits for a snapshot when the terminal goes away is told', async () => {
  const screen = newScreen()
  screen.push(Buffer.alloc(500_000, 'x'))
  const waiting = screen.snapshot()
  screen.dispose()
  await expect(waiting).rejects.toMatchObject({ code: 'SESSION_ERROR' })
})
