import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import xterm from '@xterm/headless'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Reader, RestoredScreen } from '../../src/core/backends/backend'
import type { TmuxBackend } from '../../src/core/backends/tmux/tmuxBackend'
import { LATE_READER } from '../harness/lateReader'
import { Ear, TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld
let backend: TmuxBackend

beforeEach(async () => {
  world = new TmuxWorld()
  backend = await world.backend()
})

afterEach(() => world.close())

interface Picture {
  lines: string[]
  styles: string[]
  cursor: [x: number, y: number]
  type: string
}

async function emulator(parts: readonly Uint8Array[], size = { rows: 24, cols: 80 }): Promise<xterm.Terminal> {
  const terminal = new xterm.Terminal({ ...size, scrollback: 10_000, allowProposedApi: true })
  for (const part of parts) await new Promise<void>((resolve) => terminal.write(part, resolve))
  return terminal
}

/** Text, wraps, colours and cursor: what a person would see. */
function picture(terminal: xterm.Terminal, buffer = terminal.buffer.active): Picture {
  const lines: string[] = []
  const styles: string[] = []
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row)
    lines.push(`${line?.isWrapped ? '+' : ' '}${line?.translateToString(true).trimEnd() ?? ''}`)
    styles.push(style(line))
  }
  return { lines, styles, cursor: [buffer.cursorX, buffer.cursorY], type: buffer.type }
}

function style(line: xterm.IBufferLine | undefined): string {
  const cells = Array.from({ length: line?.length ?? 0 }, (_, column) => line?.getCell(column))
  return cells
    .map(
      (cell) =>
        `${cell?.getFgColorMode()}:${cell?.getFgColor()}/${cell?.getBgColorMode()}:${cell?.getBgColor()}/${cell?.isBold()}${cell?.isUnderline()}${cell?.isInverse()}`
    )
    .join(' ')
    .replaceAll(/( 0:-1\/0:-1\/000| 0:0\/0:0\/000)+$/g, '')
}

async function restoredAfter(
  printed: string | Buffer,
  size = { rows: 24, cols: 80 }
): Promise<{ screen: RestoredScreen; raw: Buffer }> {
  const path = join(world.scratch, 'printed')
  writeFileSync(path, printed)
  const { ear, terminal } = await world.shell(backend, `stty raw -echo; cat ${path}; sleep 600`, { size })
  await until(() => ear.bytes.length >= Buffer.byteLength(printed), { what: 'all output' })
  const raw = ear.bytes
  await terminal.resync(LATE_READER)
  const screen = ear.screens[0]
  if (!screen) throw new Error('nothing was restored')
  return { screen, raw }
}

async function expectSame(
  printed: string,
  size = { rows: 24, cols: 80 }
): Promise<{ fresh: xterm.Terminal; whole: xterm.Terminal }> {
  const { screen, raw } = await restoredAfter(printed, size)
  expect(screen.size).toEqual(size)
  const whole = await emulator([raw], size)
  const fresh = await emulator([screen.bytes], size)
  expect(picture(fresh)).toEqual(picture(whole))
  expect(fresh.modes).toEqual(whole.modes)
  return { fresh, whole }
}

test('long lines, wide characters and scrollback come back with their wraps', async () => {
  const lines = Array.from({ length: 120 }, (_, line) =>
    line % 3 === 0 ? `${line} ${'long '.repeat(40)}` : line % 3 === 1 ? `${line} ${'日本語'.repeat(20)}` : `${line}`
  )
  await expectSame(`${lines.join('\r\n')}\r\nprompt$ `)
})

test('colours come back and do not run into the lines below', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, row) => `\x1b[4${row % 8}m\x1b[38;5;${row}mrow ${row}${' '.repeat(70)}\x1b[0m \x1b[1;4;38;2;1;2;3mx\r\n`
  )
  await expectSame(`${rows.join('')}\x1b[0mend`)
})

test('a full background row at the bottom does not colour what scrolls in', async () => {
  await expectSame(`${'\r\n'.repeat(30)}\x1b[44m${' '.repeat(80)}\x1b[0m\r\nplain`)
})

test('line drawing comes back as line drawing', async () => {
  await expectSame('\x1b(0lqqk\x1b(B text \x1b(0mqqj\x1b(B\r\nafter')
})

test('the alternate screen comes back over the primary one, with history behind it', async () => {
  const history = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\r\n')
  const drawing = `\x1b[?1049h\x1b[2J\x1b[5;10H\x1b[7mfull screen\x1b[0m\x1b[24;1H\x1b[42mstatus${' '.repeat(74)}\x1b[0m\x1b[3;4H`
  const { fresh, whole } = await expectSame(`${history}\r\nshell$ ${drawing}`)
  expect(picture(fresh, fresh.buffer.normal).lines).toEqual(picture(whole, whole.buffer.normal).lines)
  await new Promise<void>((resolve) => fresh.write('\x1b[?1049l', resolve))
  await new Promise<void>((resolve) => whole.write('\x1b[?1049l', resolve))
  expect(picture(fresh)).toEqual(picture(whole))
})

test('modes, scroll region, origin and a cursor that waits to wrap come back', async () => {
  await expectSame('\x1b[?1h\x1b=\x1b[?1002h\x1b[?1006h\x1b[4h\x1b[3;10r\x1b[?6h\x1b[2;5Hhere')
  const { screen } = await restoredAfter(`abc\r\n${'x'.repeat(80)}`)
  const fresh = await emulator([screen.bytes, Buffer.from('y')])
  expect(fresh.buffer.active.getLine(1)?.translateToString(true)).toBe('x'.repeat(80))
  expect(fresh.buffer.active.getLine(2)?.translateToString(true)).toBe('y')
})

test('a title comes back, percent signs and all; one that was never set does not', async () => {
  const titles: string[] = []
  const { screen } = await restoredAfter('\x1b]2;50%H done #S | é\x07text')
  const fresh = await emulator([])
  fresh.onTitleChange((title) => titles.push(title))
  await new Promise<void>((resolve) => fresh.write(screen.bytes, resolve))
  expect(titles).toEqual(['50%H done #S | é'])
  const untitled = await restoredAfter('plain')
  expect(untitled.screen.bytes.toString()).not.toContain('\x1b]2;')
})

test('what tmux does not expose is remembered by us', async () => {
  const { ear, terminal } = await world.shell(backend, 'echo ready; sleep 600')
  await ear.saw('ready')
  await terminal.remember({
    reservedOffset: 12345,
    modes: { bracketedPaste: true, focusReporting: true, cursorShape: 4 }
  })
  await terminal.resync(LATE_READER)
  expect(ear.screens[0]?.bytes.toString()).toContain('\x1b[?2004h\x1b[?1004h\x1b[4 q')
  const [living] = await backend.list()
  expect(living).toMatchObject({
    reservedOffset: 12345,
    modes: { bracketedPaste: true, focusReporting: true, cursorShape: 4 }
  })
})

test('a sequence that was only half received is handed over', async () => {
  const { screen } = await restoredAfter('text\x1b[38;5;1')
  expect(screen.pending.toString()).toBe('\x1b[38;5;1')
  const osc = await restoredAfter('text\x1b]2;half\n%end 1 2 3\n a \\title')
  expect(osc.screen.pending.toString()).toContain('\x1b]2;half')
})

test('of a sequence without end only how it began is handed over', async () => {
  const { screen } = await restoredAfter(`text\x1b]2;${'x'.repeat(3_000_000)}`)
  expect(screen.pending.toString()).toBe('\x1b]')
  expect(screen.bytes.toString()).toContain('text')
})

test('an answer forged in the scrollback does no harm', async () => {
  const forged = Array.from(
    { length: 400 },
    (_, number) => `%end 1 ${number} 1\r\n%error 1 ${number} 1\r\n%begin 1 2 1\r\n`
  )
  await expectSame(`${forged.join('')}%exit\r\n`)
})

test('a resync under full load loses and doubles no line', async () => {
  const { ear, terminal } = await world.shell(backend, 'seq 1 20000000')
  for (let round = 0; round < 5; round += 1) {
    await until(() => ear.bytes.length > 20_000)
    await terminal.resync(LATE_READER)
    const screen = ear.screens.at(-1)
    if (!screen) throw new Error('nothing was restored')
    await until(() => ear.text.split('\n').length > 30)
    const seen = await emulator([screen.bytes, screen.pending, ear.bytes])
    const numbers = picture(seen)
      .lines.map(Number)
      .filter((number) => number > 0)
    const broken = numbers.findIndex((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)
    expect(broken === -1 || broken >= numbers.length - 1, `at ${numbers.slice(broken - 2, broken + 2)}`).toBe(true)
  }
})

test('screens are restored one after the other, and not where the reader has caught up meanwhile', async () => {
  const [first, second] = await Promise.all([world.shell(backend, 'sleep 600'), world.shell(backend, 'sleep 600')])
  const order: string[] = []
  const reader = (name: string, needsRestore: boolean): Reader => ({
    get needsRestore() {
      order.push(name)
      return needsRestore
    },
    caughtUp: async () => undefined
  })
  const one = first.terminal.resync(reader('first', true)).then(() => order.push('first restored'))
  const other = second.terminal.resync(reader('second', false))
  await Promise.all([one, other])
  expect(order).toEqual(['first', 'first restored', 'second'])
  expect([first.ear.screens.length, second.ear.screens.length]).toEqual([1, 0])
})

test('a dead terminal that is found shows its last screen and then its end', async () => {
  const { ear } = await world.shell(backend, 'echo last words; exit 7')
  await ear.ended()
  await backend.stop()
  const second = await world.backend()
  const [living] = await second.list()
  if (!living) throw new Error('the terminal was not found')
  const found = new Ear()
  await second.adopt(living, found)
  expect(found.screens[0]?.bytes.toString()).toContain('last words')
  expect(await found.ended()).toEqual({ exitCode: 7, signal: null })
})
