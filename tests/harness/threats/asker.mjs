// A program that prints what it is told to, and writes down every byte that comes back.
//   asker.mjs <out> query <text> <times>   prints the text many times
//   asker.mjs <out> fuzz <seed> <count>    prints random sequences; what it printed goes to <out>.sent
// It says recording-now when it has printed everything and what came back has been quiet, and ends at THE-END.

import { appendFileSync, writeFileSync } from 'node:fs'

const QUIET_MS = 300
const [, , out, kind, what, times] = process.argv
let lastByteAt = Date.now()
let tail = ''
writeFileSync(out, '')
process.stdin.setRawMode(true)
process.stdin.on('data', (bytes) => {
  lastByteAt = Date.now()
  appendFileSync(out, bytes)
  tail = (tail + bytes.toString('latin1')).slice(-7)
  if (tail === 'THE-END') process.exit()
})

if (kind === 'query') await print(JSON.parse(what).repeat(Number(times)))
else await fuzz(Number(what), Number(times))
while (Date.now() - lastByteAt < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 50))
await print('\x18\x1b\\\r\nrecording-now\r\n')

async function fuzz(seed, count) {
  let state = seed
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  writeFileSync(`${out}.sent`, '')
  for (let done = 0; done < count; done += 50) {
    const batch = Array.from({ length: Math.min(50, count - done) }, () => sequence(random)).join('')
    appendFileSync(`${out}.sent`, batch, 'latin1')
    await print(batch)
  }
}

// Letters that no honest reply has in a row, so that an echo of them is seen at once.
function word(random) {
  return Array.from({ length: 4 + random(12) }, () => 'QWXYZJKVqwxyzjkv'[random(16)]).join('')
}

function sequence(random) {
  const pick = (list) => list[random(list.length)]
  const numbers = () =>
    Array.from({ length: random(4) }, () =>
      pick(['', '0', '1', '4', '5', '6', '14', '18', '20', '21', '999', '2147483647'])
    ).join(';')
  const text = () => pick([word(random), `${word(random)};?`, '?', `${numbers()};${word(random)}`, numbers()])
  const end = () => pick(['\x07', '\x1b\\', '\x18', ''])
  const queries = [
    '[c',
    '[>c',
    '[5n',
    '[6n',
    '[>q',
    '[18t',
    '[21t',
    ']10;?\x07',
    ']11;?\x1b\\',
    'P$qm\x1b\\',
    '[?2004$p',
    'Z'
  ]
  const made = pick([
    () => `\x1b${pick(queries)}`,
    () =>
      `\x1b[${pick(['', '?', '>', '=', '<'])}${numbers()}${pick(['', '$', ' ', '!', '"', "'"])}${pick('cnqpxtuRStyzvw'.split(''))}`,
    () =>
      `\x1b]${pick(['0', '1', '2', '4', '7', '8', '10', '11', '12', '21', '50', '52', '104', '777', '1337', 'l', 'L'])};${text()}${end()}`,
    () => `\x1bP${pick(['$q', '+q', '$t', '>|', '=', '1$r', '+p', ''])}${text()}${end()}`,
    () => `\x1b${pick(['_', '^', 'X', 'k'])}${text()}${end()}`,
    () => `\x1b${pick(['Z', '7', '8', '=', '>', 'n', 'o', '|', '}', '~', '#8', '%G'])}`,
    () => `\x05${word(random)}`,
    () => word(random)
  ])()
  // A string that is left open swallows what follows, so most are closed.
  return random(4) === 0 ? made : `${made}\x18\x1b\\`
}

function print(text) {
  return new Promise((resolve) => process.stdout.write(Buffer.from(text, 'latin1'), resolve))
}
