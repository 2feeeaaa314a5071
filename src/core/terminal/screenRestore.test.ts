import { expect, test } from 'vitest'
import type { RememberedModes, RestoredScreen } from '../backends/backend'
import { NO_MODES, newScreen, SIZE } from './screenFixture.testing'
import { screenRows } from './screenText'

const restored = (text: string, size = SIZE): RestoredScreen => ({
  size,
  bytes: Buffer.from(text),
  pending: Buffer.alloc(0)
})

test('of two restores the second is shown, though the first had not begun, and who waited is served after it', async () => {
  const screen = newScreen({ size: { rows: 3, cols: 20 } })
  screen.push(Buffer.alloc(500_000, 'x'))
  const waiting = screen.inspect((emulator, offset) => [offset, screenRows(emulator)])
  screen.restore(restored('first', { rows: 5, cols: 9 }), { offset: 10, modes: NO_MODES })
  screen.restore(restored('second', { rows: 4, cols: 30 }), { offset: 20, modes: NO_MODES })
  screen.push(Buffer.from(' and on'))
  expect(await waiting).toEqual([20, ['second', '', '', '']])
  expect(await screen.snapshot()).toMatchObject({ offset: 27, size: { rows: 4, cols: 30 } })
  expect(screen.text()).toEqual(['second and on', '', '', ''])
})

test('two restores that come while the screen is read leave the second', async () => {
  const screen = newScreen()
  screen.push(Buffer.from('old'))
  let letGo: () => void = () => undefined
  const looked = screen.inspect(() => new Promise<void>((resolve) => (letGo = resolve)))
  screen.restore(restored('first'), { offset: 10, modes: NO_MODES })
  screen.restore(restored('second'), { offset: 20, modes: NO_MODES })
  letGo()
  await looked
  await screen.caughtUp()
  expect(screen.text().at(0)).toBe('second')
})

test('a screen that is being restored reports no modes but those it ends with', async () => {
  const seen: RememberedModes[] = []
  const screen = newScreen({ onModes: (modes) => seen.push(modes) })
  screen.push(Buffer.from('\x1b[?2004h'))
  const [pasting] = seen.splice(0)
  if (!pasting) throw new Error('no modes were reported')
  screen.restore(restored('lines\r\n'.repeat(20_000)), { offset: 10, modes: pasting })
  await screen.caughtUp()
  expect(seen).toEqual([])
  screen.restore(restored('lines\r\n'), { offset: 20, modes: NO_MODES })
  await screen.caughtUp()
  expect(seen).toEqual([NO_MODES])
})

test('a first picture that is asked for after a restore shows the restored screen', async () => {
  const screen = newScreen()
  screen.push(Buffer.from('old'))
  screen.restore(restored('new'), { offset: 50, modes: NO_MODES })
  const { bytes, offset } = await screen.screenSnapshot()
  expect(Buffer.from(bytes).toString()).toContain('new')
  expect(offset).toBe(50)
})

test('a restored screen of any length is not asked for again because it waits to be parsed', async () => {
  let asked = 0
  const screen = newScreen({ isResyncLossy: true, onBehind: async () => void asked++ })
  screen.restore(restored('x'.repeat(40_000_000)), { offset: 10, modes: NO_MODES })
  screen.push(Buffer.from('y'))
  expect([asked, screen.needsRestore]).toEqual([0, false])
})
