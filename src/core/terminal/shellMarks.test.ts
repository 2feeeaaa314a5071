import { expect, test } from 'vitest'
import { MarkFilter } from './shellMarks'

const NONCE = '0123456789abcdef0123456789abcdef'
const OTHER = 'f'.repeat(32)
const filter = new MarkFilter(NONCE)

/** Text for what is passed on, and the marks in their places. */
function parts(text: string): unknown[] {
  return filter.split(Buffer.from(text)).map((part) => (Buffer.isBuffer(part) ? part.toString() : part))
}

test('our marks are taken out, and everything around them passes in its order', () => {
  const stream = `a\x1b]133;A;tandem=${NONCE}\x07$ \x1b]133;B;tandem=${NONCE};7\x1b\\ls\x1b]133;C;tandem=${NONCE};ls%3B%20%25%C3%A9;\x07x`
  expect(parts(stream)).toEqual([
    'a',
    { kind: 'promptStart' },
    '$ ',
    { kind: 'promptEnd', exitCode: 7 },
    'ls',
    { kind: 'commandStart', command: 'ls; %é', isRepeat: false },
    'x'
  ])
  expect(parts(`\x1b]133;D;tandem=${NONCE};130\x07\x1b]7;file://${NONCE}@box/a%20b\x07`)).toEqual([
    { kind: 'commandEnd', exitCode: 130, by: 'hook' },
    { kind: 'directory', path: '/a b' }
  ])
  expect(parts(`\x1b]133;D;tandem=${NONCE};1;sign\x07`)).toEqual([{ kind: 'commandEnd', exitCode: 1, by: 'sign' }])
})

test('a line that its shell keeps to itself comes without text', () => {
  expect(parts(`\x1b]133;C;tandem=${NONCE}\x07`)).toEqual([
    { kind: 'commandStart', command: undefined, isRepeat: false }
  ])
  expect(parts(`\x1b]133;C;tandem=${NONCE};ls;repeat\x07`)).toEqual([
    { kind: 'commandStart', command: 'ls', isRepeat: true }
  ])
})

test.each([
  '\x1b]133;D;0\x07',
  `\x1b]133;D;tandem=${OTHER};0\x07`,
  `\x1b]133;D;tandem=${NONCE};%?\x07`,
  `\x1b]133;D;tandem=${NONCE}0;0\x07`,
  `\x1b]133;E;tandem=${NONCE};0\x07`,
  `\x1b]133;D;tandem=${NONCE};0`,
  `]133;D;tandem=${NONCE};0\x07`,
  `\x1b]7;file://${NONCE}/etc\x07`,
  '\x1b]7;file://box/etc\x07',
  `TANDEM_SHELL_NONCE=${NONCE}`
])('what is not a mark of ours stays as it is: %j', (text) => {
  expect(parts(text)).toEqual([text])
})

test('bytes without a mark are passed uncopied', () => {
  const bytes = Buffer.alloc(65_536, 'plain \x1b[31mred\x1b[0m ')
  expect(filter.split(bytes)[0]).toBe(bytes)
})
