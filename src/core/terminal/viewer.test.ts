import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkLengths, cutInto, look, newEmulator, PROPERTY_TIMEOUT_MS, validOutput } from './streams.testing'
import { openTerminal, PERSON, RecordingSink, until } from './terminals.testing'

const turn = () => new Promise(setImmediate)

/** What a client that does as it is told shows. */
function shown(sink: RecordingSink) {
  const emulator = newEmulator()
  for (const delivery of sink.deliveries) {
    if (delivery.kind === 'snapshot') {
      emulator.resize(delivery.snapshot.size)
      emulator.write(delivery.snapshot.bytes)
    }
    if (delivery.kind === 'output') emulator.write(delivery.bytes)
    if (delivery.kind === 'resized') emulator.resize(delivery.size)
  }
  return look(emulator)
}

test('a joiner gets a snapshot and exactly the bytes after it, whenever it joins', {
  timeout: PROPERTY_TIMEOUT_MS
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      validOutput,
      chunkLengths,
      fc.array(fc.nat(60), { maxLength: 4 }),
      async (bytes, lengths, joins) => {
        const { terminal, program, terminals } = await openTerminal()
        const sinks: RecordingSink[] = []
        const chunks = cutInto(bytes, lengths)
        for (const [index, chunk] of chunks.entries()) {
          if (joins.includes(index)) {
            sinks.push(new RecordingSink())
            terminal.view(sinks.at(-1) as RecordingSink)
          }
          program.emit(chunk)
          if (index % 3 === 0) await turn()
        }
        program.finish()
        await until(() => sinks.every((sink) => sink.of('ended').length === 1))
        const direct = newEmulator()
        direct.write(bytes)
        for (const sink of sinks) expect(shown(sink)).toEqual(look(direct))
        await terminals.stop()
      }
    ),
    { numRuns: 100 }
  )
})

test('while a client is busy bytes gather and go as one', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  sink.hold()
  program.emit('first')
  await until(() => sink.of('output').length === 1)
  for (const text of ['a', 'b', 'c']) program.emit(text)
  sink.release()
  await until(() => sink.of('output').length === 2)
  expect(sink.of('output').map(({ bytes }) => bytes.toString())).toEqual(['first', 'abc'])
})

test('a client that waits has the echo of a key before anything else is done with it', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  await turn()
  program.emit('k')
  expect(sink.outputBytes.toString()).toBe('k')
})

test('what was announced before some output is told before it, also to a client that waits', async () => {
  const { terminal } = await openTerminal()
  const sink = new RecordingSink()
  const viewer = terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  await turn()
  viewer.announce({ title: 'before' })
  viewer.push(Buffer.from('after'))
  await until(() => sink.of('output').length === 1)
  expect(sink.deliveries.map(({ kind }) => kind)).toEqual(['snapshot', 'title', 'output'])
})

test('pieces are at most 64 kB', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  program.emit(Buffer.alloc(200_000, 'x'))
  await until(() => sink.outputBytes.length === 200_000)
  expect(Math.max(...sink.of('output').map(({ bytes }) => bytes.length))).toBe(65_536)
})

test('a client that falls behind is resynced, not waited for', async () => {
  const { terminal, program } = await openTerminal()
  const slow = new RecordingSink()
  const quick = new RecordingSink()
  terminal.view(slow)
  terminal.view(quick)
  await until(() => slow.of('snapshot').length === 1 && quick.of('snapshot').length === 1)
  slow.hold()
  const line = Buffer.from('0123456789abcde\r\n'.repeat(1000))
  for (let sent = 0; sent < 120; sent++) {
    program.emit(line)
    await until(() => quick.outputBytes.length === (sent + 1) * line.length)
  }
  expect(slow.outputBytes.length).toBeLessThanOrEqual(65_536)
  slow.release()
  program.emit('after')
  program.finish(0)
  await until(() => slow.of('ended').length === 1 && quick.of('ended').length === 1)
  expect(quick.of('snapshot')).toHaveLength(1)
  expect(slow.of('snapshot').length).toBeGreaterThan(1)
  const last = slow.deliveries.findLastIndex(({ kind }) => kind === 'snapshot')
  const afterwards = new RecordingSink()
  afterwards.deliveries.push(...slow.deliveries.slice(last))
  expect(JSON.stringify(shown(afterwards))).toContain('a|0.-1,0,-1|000000000 f|0.-1,0,-1|000000000 t|')
})

test('a client that never reads holds a bounded amount and slows nobody', async () => {
  const { terminal, program } = await openTerminal({ scrollback_limit: 100 })
  const never = new RecordingSink()
  never.hold()
  terminal.view(never)
  const others = Array.from({ length: 10 }, () => new RecordingSink())
  for (const sink of others) terminal.view(sink)
  await until(() => others.every((sink) => sink.of('snapshot').length === 1))
  const chunk = Buffer.alloc(60_000, 'x')
  for (let sent = 0; sent < 100; sent++) {
    program.emit(chunk)
    await until(() => others.every((sink) => sink.position === (sent + 1) * chunk.length))
  }
  const received = never.deliveries.map((delivery) =>
    delivery.kind === 'snapshot' ? delivery.snapshot.bytes.length : 0
  )
  expect(received.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(100_000)
  expect(never.outputBytes).toHaveLength(0)
})

test('a client that reconnects a hundred times gets the identical stream', async () => {
  const { terminal, program } = await openTerminal()
  const parts: Buffer[] = []
  const sent: Buffer[] = []
  let position: number | undefined
  for (let round = 0; round < 100; round++) {
    const sink = new RecordingSink()
    const viewer = terminal.view(sink, { ...(position === undefined ? {} : { from: position }) })
    for (let line = 0; line < 20; line++) {
      sent.push(Buffer.from(`${round}:${line} é日👩\x1b[31mred\x1b[0m\r\n`))
      program.emit(sent.at(-1) as Buffer)
      if (line % 7 === 0) await turn()
    }
    if (round % 3 === 0) await until(() => sink.outputBytes.length > 0)
    viewer.close()
    if (round > 0) expect(sink.of('snapshot')).toHaveLength(0)
    parts.push(sink.outputBytes)
    if (position === undefined && sink.of('snapshot').length > 0) {
      const [first] = sink.of('snapshot')
      parts.unshift(Buffer.concat(sent).subarray(0, first?.snapshot.offset))
    }
    position = sink.position
  }
  expect(Buffer.concat(parts)).toEqual(Buffer.concat(sent).subarray(0, position))
})

test('an offset that is no longer kept gets a snapshot instead', async () => {
  const { terminal, program } = await openTerminal({ buffer_bytes: 4096 })
  for (let line = 0; line < 1000; line++) program.emit(`line ${line}\r\n`)
  for (const from of [0, terminal.log.end + 1, -1, 0.5]) {
    const sink = new RecordingSink()
    terminal.view(sink, { from })
    await until(() => sink.deliveries.length > 0)
    expect(sink.deliveries[0]?.kind).toBe('snapshot')
  }
  const sink = new RecordingSink()
  terminal.view(sink, { from: terminal.log.end - 10 })
  await until(() => sink.outputBytes.length === 10)
  expect(sink.deliveries[0]).toMatchObject({ kind: 'resumed', offset: terminal.log.end - 10, size: terminal.size })
})

async function terminalWithHistory() {
  const { terminal, program } = await openTerminal()
  for (let line = 0; line < 3000; line++) program.emit(`line ${line}\r\n`)
  await terminal.screen.caughtUp()
  return terminal
}

test('a client that wants a preview gets the visible screen before a long history', async () => {
  const sink = new RecordingSink()
  const terminal = await terminalWithHistory()
  terminal.view(sink, { wantsPreview: true })
  await until(() => sink.of('snapshot').length === 2)
  const [screen, whole] = sink.of('snapshot').map(({ snapshot }) => Buffer.from(snapshot.bytes).toString())
  expect(screen).toContain('line 2999')
  expect(screen).not.toContain('line 10\r\n')
  expect(whole).toContain('line 10\r\n')
})

test('without a preview the first snapshot has the whole history', async () => {
  const sink = new RecordingSink()
  const terminal = await terminalWithHistory()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  expect(Buffer.from(sink.of('snapshot')[0]?.snapshot.bytes ?? []).toString()).toContain('line 10\r\n')
})

test('snapshots start with RIS and repaint as one update', async () => {
  const { terminal, program } = await openTerminal()
  program.emit('hello')
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  const text = Buffer.from(sink.of('snapshot')[0]?.snapshot.bytes ?? '').toString()
  expect(text.startsWith('\x1bc\x1b[?2026h')).toBe(true)
  expect(text).toContain('\x1b[?2026l')
})

test('a client that fails is closed alone', async () => {
  const { terminal, program } = await openTerminal()
  const good = new RecordingSink()
  const bad = new RecordingSink()
  bad.output = () => Promise.reject(new Error('gone'))
  terminal.view(good)
  terminal.view(bad)
  await until(() => good.of('snapshot').length === 1 && bad.of('snapshot').length === 1)
  program.emit('one')
  program.emit('two')
  program.finish(3)
  await until(() => good.of('ended').length === 1)
  expect(good.outputBytes.toString()).toBe('onetwo')
  expect(bad.of('ended')).toHaveLength(0)
})

test('the end is told after the last byte, even to a client that was stale', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  program.emit('last words\x1b[3')
  program.finish(7)
  await until(() => sink.of('ended').length === 1)
  expect(sink.deliveries.at(-1)).toEqual({ kind: 'ended', exit: { exitCode: 7, signal: null } })
  const late = new RecordingSink()
  terminal.view(late)
  await until(() => late.of('ended').length === 1)
  expect(Buffer.from(late.of('snapshot')[0]?.snapshot.bytes ?? '').toString()).toContain('last words')
})

test('size and title come in their place in the stream', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.of('snapshot').length === 1)
  program.emit('narrow')
  await terminal.resize({ rows: 10, cols: 40 })
  program.emit('wide\x1b]0;a title\x07')
  await until(() => sink.of('title').length === 1)
  const told = sink.deliveries.slice(1).map((one) => (one.kind === 'output' ? one.bytes.toString() : one.kind))
  expect(told).toEqual(['narrow', 'resized', 'wide\x1b]0;a title\x07', 'title'])
})

test('replies of a client’s emulator never reach the program, keys do', async () => {
  const { terminal, program } = await openTerminal()
  const viewer = terminal.view(new RecordingSink())
  await viewer.input(Buffer.from('\x1b[24;80R'.repeat(1000)), PERSON)
  expect(program.heard).toEqual([])
  await viewer.input(Buffer.from('ls\r'), PERSON)
  expect(program.heard).toEqual(['ls\r'])
})

test('a thousand queries in the history, replayed to ten clients, send nothing to the program', async () => {
  const { terminal, program } = await openTerminal()
  program.emit('\x1b[6n\x1b[c'.repeat(1000))
  const sinks = Array.from({ length: 10 }, () => new RecordingSink())
  for (const sink of sinks) terminal.view(sink)
  await until(() => sinks.every((sink) => sink.of('snapshot').length === 1))
  for (const sink of sinks)
    expect(Buffer.from(sink.of('snapshot')[0]?.snapshot.bytes ?? '').toString()).not.toContain('\x1b[6n')
  expect(program.heard).toEqual([])
})
