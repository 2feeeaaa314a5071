import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

/** Reads raw bytes and says how many came and what they hash to, or prints them as hex. */
const HASH_READER = `
process.stdin.setRawMode(true)
const hash = require('node:crypto').createHash('sha256')
let left = Number(process.argv[1])
process.stdout.write('ready\\r\\n')
process.stdin.on('data', (chunk) => {
  hash.update(chunk)
  left -= chunk.length
  if (left <= 0) { process.stdout.write('sum ' + left + ' ' + hash.digest('hex') + '.'); process.exit() }
})`

async function reader(length: number) {
  const backend = await world.backend()
  const running = await world.run(backend, [process.execPath, '-e', HASH_READER, String(length)])
  await running.ear.saw('ready')
  return running
}

const sum = (bytes: Buffer) => `sum 0 ${createHash('sha256').update(bytes).digest('hex')}.`

test('every byte value arrives unchanged, key by key and pasted', async () => {
  const pieces = [...ALL_BYTES].map((byte) => Buffer.from([byte]))
  const sent = Buffer.concat([...pieces, ALL_BYTES.subarray(0, 64), ALL_BYTES, ALL_BYTES.subarray(0, 65)])
  const { ear, terminal } = await reader(sent.length)
  for (const piece of pieces) await terminal.write(piece)
  await terminal.write(ALL_BYTES.subarray(0, 64))
  await terminal.write(ALL_BYTES)
  await terminal.write(ALL_BYTES.subarray(0, 65))
  await ear.saw(sum(sent))
})

test('1 MB arrives whole, and writes of different lengths keep their order without being waited for', async () => {
  const large = Buffer.concat(Array.from({ length: 4096 }, () => ALL_BYTES))
  const parts = [Buffer.from('first'), large, Buffer.from('second'), large, Buffer.from('third')]
  const sent = Buffer.concat(parts)
  const { ear, terminal } = await reader(sent.length)
  await Promise.all(parts.map((part) => terminal.write(part)))
  await ear.saw(sum(sent))
})

test('keys and a 1 MB paste in flight while the program ends never end tmux, 200 rounds', async () => {
  const backend = await world.backend()
  const serverPid = await world.serverPid()
  const paste = Buffer.alloc(1_000_000, 'x')
  for (let round = 0; round < 200; round += 1) {
    const { terminal, ear } = await world.shell(backend, 'read line; exit')
    const input =
      round % 4 === 0 ? [Buffer.from('\x04'), paste] : ['\x04', 'a', 'b', 'c'].map((key) => Buffer.from(key))
    const outcomes = await Promise.allSettled(input.map((bytes) => terminal.write(bytes)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'PROCESS_EXITED' })
    }
    await ear.ended()
    await expect(terminal.write(Buffer.from('late'))).rejects.toMatchObject({ code: 'PROCESS_EXITED' })
    if (round % 10 === 0) await expect(terminal.write(paste)).rejects.toMatchObject({ code: 'PROCESS_EXITED' })
    await terminal.kill({ force: true })
  }
  expect(await world.serverPid()).toBe(serverPid)
  expect(await world.tmux('list-buffers')).toBe('')
}, 240_000)

test('a terminal left in copy mode still gets what is typed', async () => {
  const backend = await world.backend()
  const { terminal, ear, spec } = await world.run(backend, ['/bin/cat'])
  await world.tmux('copy-mode', '-t', `=${spec.tmuxSession}:`)
  await terminal.write(Buffer.from('hello\r'))
  await ear.saw('hello\r\nhello')
})

test('nothing typed stays in tmux or on disk', async () => {
  const options = world.options()
  const backend = await world.backend(options)
  const { terminal, ear } = await world.run(backend, ['/bin/cat'])
  await terminal.write(Buffer.from('7365637265740a'))
  await terminal.write(Buffer.from(`${'secret '.repeat(50)}\r`))
  await ear.saw('secret secret')
  expect(await world.tmux('show-messages')).not.toMatch(/send-keys|37 33 36 35/)
  expect(await world.tmux('list-buffers')).toBe('')
  await until(() => readdirSync(options.runtimeDir.path).every((name) => !name.startsWith('i')))
})
