import { expect, test } from 'vitest'
import { OutputLog } from './outputLog'
import { TypedLines, type TypedLinesOptions } from './typedLines'

function newTyped({ isHidden = () => false, screen = () => [] }: Partial<TypedLinesOptions> = {}) {
  const log = new OutputLog(() => ({ maxBytes: 100_000, maxChunks: 1000 }))
  const typed = new TypedLines({
    offset: () => log.end,
    read: (from, maxBytes) => log.read(from, maxBytes).bytes,
    screen,
    isHidden
  })
  /** Types as a terminal that shows every key. */
  const type = (keys: string, echo = keys.replaceAll('\r', '\r\n')) => {
    typed.add(Buffer.from(keys))
    log.append(Buffer.from(echo))
  }
  return { typed, type, log }
}

test('a line is what was typed before Enter, however it was cut', () => {
  const { typed, type } = newTyped()
  for (const key of 'ls -l\r') type(key)
  type('echo one\recho two\r')
  type('   \r')
  expect(typed.all()).toEqual(['ls -l', 'echo one', 'echo two'])
  typed.close()
})

test('corrections count, and a line that is thrown away does not', () => {
  const { typed, type } = newTyped()
  type('lx')
  type('\x7f', '\b \b')
  type('s\r')
  type('rm -rf /\x03', 'rm -rf /^C\r\n$ ')
  type('\x1b[Apwd\x1b[C\r', 'pwd\r\n')
  expect(typed.all()).toEqual(['ls', 'pwd'])
  typed.close()
})

test('what was never shown is never kept', () => {
  const { typed, type, log } = newTyped()
  log.append(Buffer.from('Password for hunter2: '))
  type('hunter2\r', '\r\nSorry, try again.\r\n')
  type('id\r')
  expect(typed.all()).toEqual(['id'])
  typed.close()
})

test('what was typed while a prompt was known to hide it is not kept, even if it is shown later', () => {
  let isHidden = true
  const { typed, type } = newTyped({ isHidden: () => isHidden })
  type('hunt', '')
  isHidden = false
  type('er2\r', 'hunter2\r\n')
  expect(typed.all()).toEqual([])
  typed.close()
})

test('only the newest are kept', () => {
  const { typed, type } = newTyped()
  for (let n = 0; n < 250; n++) {
    type(`echo ${n}\r`)
    typed.all()
  }
  expect(typed.all()).toHaveLength(200)
  expect(typed.all().at(-1)).toBe('echo 249')
  typed.close()
})

test('a shell that draws the line in its own way shows it on the screen', () => {
  const { typed, type } = newTyped({ screen: () => ['~> ls -l', 'total 0'] })
  type('ls -l\r', 'l\x1b[1C\x1b[1Dls\x1b[3G')
  expect(typed.all()).toEqual(['ls -l'])
  typed.close()
})
