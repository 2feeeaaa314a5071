import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TmuxWorld } from '../harness/tmuxServer'
import { pause, until } from '../harness/waiting'

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** No byte that a terminal line turns into another: output processing is off in the programs that print it. */
function mixedBytes(length: number): Buffer {
  let state = 12345
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index += 1) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    bytes[index] = (state >> 16) & 0xff
  }
  return bytes
}

test('every byte of 5 MB arrives once and in order', async () => {
  const backend = await world.backend()
  const path = join(world.scratch, 'bytes')
  const sent = mixedBytes(5_000_000)
  writeFileSync(path, sent)
  const { ear } = await world.shell(backend, `stty raw -echo; cat ${path}`)
  expect(await ear.ended()).toEqual({ exitCode: 0, signal: null })
  expect(ear.bytes.length).toBe(sent.length)
  expect(sha256(ear.bytes)).toBe(sha256(sent))
})

test('coloured text arrives as the program wrote it, marks of its own included', async () => {
  const backend = await world.backend()
  const line = '\x1b[1;38;2;10;20;30mred\x1b[0m \x1b]133;A\x07\x1b]8;;http://x\x07link\x1b]8;;\x07 日本 \x1b[?2026h\r\n'
  const sent = Buffer.from(line.repeat(20_000))
  const path = join(world.scratch, 'bytes')
  writeFileSync(path, sent)
  const { ear } = await world.shell(backend, `stty raw -echo; cat ${path}`)
  await ear.ended()
  expect(sha256(ear.bytes)).toBe(sha256(sent))
})

// Under load tmux itself may close a terminal before the kernel has handed it the last bytes; what it read, we have.
test('20 kB printed just before the end arrive as far as tmux read them, 50 of 50', async () => {
  const backend = await world.backend()
  const path = join(world.scratch, 'lines')
  const sent = Array.from({ length: 200 }, (_, line) => `${line} ${'x'.repeat(75)}\r\n`).join('')
  writeFileSync(path, sent)
  let whole = 0
  for (let round = 0; round < 50; round += 1) {
    const { ear, terminal, spec } = await world.shell(backend, `stty -opost; cat ${path}`)
    expect(await ear.ended()).toEqual({ exitCode: 0, signal: null })
    if (ear.text === sent) whole += 1
    else expect(ear.text.trimEnd()).toBe(sent.slice(0, (await readByTmux(spec.tmuxSession, sent)).length))
    expect(ear.late).toBe(0)
    await terminal.kill()
  }
  expect(whole).toBeGreaterThan(40)
})

async function readByTmux(session: string, sent: string): Promise<string> {
  const captured = await world.tmux('capture-pane', '-p', '-S', '-', '-t', `=${session}:`)
  const read = captured.trimEnd().replaceAll('\n', '\r\n')
  expect(sent.startsWith(read)).toBe(true)
  return read
}

test('the end of a program whose output is held up on its way is told after the last byte of it', async () => {
  const backend = await world.backend()
  const path = join(world.scratch, 'bytes')
  // As much as lies between tmux and its relay: tmux calls no program dead while it has some of its output itself.
  const sent = mixedBytes(10_000)
  writeFileSync(path, sent)
  const { ear, terminal, spec } = await world.shell(
    backend,
    `stty raw -echo; echo ready; head -c 1 >/dev/null; cat ${path}`
  )
  await ear.saw('ready')
  const [relay = 0] = world.relays()
  process.kill(relay, 'SIGSTOP')
  await terminal.write(Buffer.from('x'))
  const isDead = () => world.tmux('display-message', '-p', '-t', `=${spec.tmuxSession}:`, '#{pane_dead}')
  await until(async () => (await isDead()) === '1', { what: 'the end of the program' })
  await pause(300)
  expect(ear.exits).toEqual([])
  process.kill(relay, 'SIGCONT')
  await ear.ended()
  expect(sha256(ear.bytes.subarray('ready\n'.length))).toBe(sha256(sent))
  expect(ear.late).toBe(0)
})

test('eight terminals are read at once', async () => {
  const backend = await world.backend()
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      world.shell(backend, `stty -opost; seq -f 't${index}-%g' 1 20000; echo end; exec sleep 600`)
    )
  )
  // They live on: at their end tmux may leave the last bytes unread, as above.
  for (const [index, { ear }] of all.entries()) {
    await ear.saw('end\n')
    const wanted = Array.from({ length: 20_000 }, (_, line) => `t${index}-${line + 1}\n`).join('')
    expect(ear.text).toBe(`${wanted}end\n`)
  }
})

test('a program that prints without end is drained while nobody reads on', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.shell(backend, 'yes')
  await until(() => ear.bytes.length > 5_000_000)
  await terminal.kill()
  expect(await backend.list()).toEqual([])
})
