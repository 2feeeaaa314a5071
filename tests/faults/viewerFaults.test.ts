import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { corpus } from '../../src/core/terminal/screenCorpus.testing'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { fuzzedStream } from '../harness/faults/fuzzedStream'
import { StreamClient } from '../harness/faults/streamClient'
import { TcpProxy } from '../harness/faults/tcpProxy'
import { render } from '../harness/render'
import { Tab } from '../harness/tab'
import { pause, until } from '../harness/waiting'

const DRIP = fileURLToPath(new URL('../harness/faults/drip.mjs', import.meta.url))
const MEGABYTE = 1024 * 1024
const ROOMY = ['--buffer-bytes', String(256 * MEGABYTE), '--buffer-chunks', '1000000']
/** The streams that every part of the emulation is tried with. */
const PRINTED = corpus.filter(({ resizedTo }) => resizedTo === undefined)
const BITS_PER_PART = 6
const UNUSABLE = [
  [0, 0],
  [-1, 24],
  [80, -1],
  [1, 1],
  [65535, 65535],
  [80.5, 24]
] as const

faultTest(
  {
    id: 'B18',
    fault: 'the connection drops again and again during a flood',
    quick: 25,
    full: 1000,
    places: BOTH_PLACES
  },
  (injection) => FaultHost.during((host) => dropConnections(host, injection), { injection, options: { flags: ROOMY } })
)

faultTest(
  { id: 'B19', fault: 'output cut inside characters and sequences', quick: 4, full: 1000, places: BOTH_PLACES },
  (injection) =>
    FaultHost.during((host) => cutEverywhere(host, injection, () => fuzzedStream(injection.random)), { injection })
)

faultTest(
  { id: 'B19', fault: 'what programs print, cut everywhere', quick: 2, full: PRINTED.length, places: BOTH_PLACES },
  (injection) => FaultHost.during((host) => cutEverywhere(host, injection, printed(injection)), { injection })
)

faultTest(
  { id: 'B20', fault: 'a storm of sizes from several viewers', quick: 300, full: 10_000, places: BOTH_PLACES },
  (injection) => FaultHost.during((host) => stormSizes(host, injection), { injection })
)

async function dropConnections(host: FaultHost, injection: Injection): Promise<void> {
  const last = injection.isFull ? 10_000_000 : 300_000
  const { tmuxSession } = await host.door().create()
  const proxy = await TcpProxy.start(host.tandem.ready.url)
  const client = new StreamClient(host.tandem, tmuxSession, proxy)
  try {
    await client.connect()
    client.type(printing(last, injection.wanted))
    let underOutput = 0
    for (const _ of injection.rounds()) {
      client.type('\r')
      await pause(injection.random.between(50, injection.isFull ? 500 : 150))
      proxy.cut()
      await until(() => client.isClosed, { what: 'the cut to be noticed' })
      const before = client.offset ?? 0
      client.take()
      if ((client.offset ?? 0) > before) underOutput += 1
      await client.connect()
    }
    const percent = (100 * underOutput) / injection.done
    injection.note('underOutputPercent', percent)
    if (percent < 80) injection.loss(`only ${percent} % of the connections dropped while something was printed`)
    const numbers = `${Array.from({ length: last }, (_, index) => index + 1).join('\r\n')}\r\nthe-end-2`
    await until(() => reached(client, numbers), {
      what: 'the end of the stream',
      limitMs: injection.isFull ? 3_600_000 : 90_000
    })
    const text = Buffer.concat(client.received).toString('latin1')
    const stream = text.slice(text.indexOf('1\r\n2\r\n3\r\n'), text.indexOf('the-end-2') + 'the-end-2'.length)
    if (client.gaps > 0) injection.loss(`${client.gaps} times the stream did not go on where it was left`)
    if (hash(stream) !== hash(numbers)) injection.loss(`${stream.length} bytes came, ${numbers.length} were printed`)
  } finally {
    await proxy.close()
  }
}

/**
 * Numbers from one to `last` in as many parts as there are cuts: each begins when Enter is pressed, and lasts for about as
 * long as a connection does. Within a part a shell prints as fast as it can: a client that is away for a moment is not yet
 * too far behind to go on.
 */
function printing(last: number, parts: number): string {
  const bits = parts * BITS_PER_PART
  const firstOf = (bit: string) => `${bit} * ${last} / ${bits} + 1`
  const bit = `for ((n = ${firstOf('bit')}; n < ${firstOf('(bit + 1)')}; n++)); do echo $n; done; sleep 0.02`
  const wait = `((bit % ${BITS_PER_PART} == 0)) && read -r`
  return `stty -echo; for ((bit = 0; bit < ${bits}; bit++)); do ${wait}; ${bit}; done; echo the-end-$((1+1))\r`
}

async function reached(client: StreamClient, numbers: string): Promise<boolean> {
  await pause(200)
  client.take()
  const isThere = client.received.reduce((sum, { length }) => sum + length, 0) >= numbers.length
  if (isThere && Buffer.concat(client.received.slice(-50)).includes('the-end-2')) return true
  await client.connect()
  // The Enter of a part may have been lost with its connection.
  client.type('\r')
  return false
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** All of them in a soak, any of them otherwise. */
function printed({ isFull, random }: Injection): (round: number) => Buffer {
  return (round) => Buffer.from((isFull ? PRINTED[round % PRINTED.length] : random.pick(PRINTED))?.output ?? '')
}

/** One terminal gets a stream at once, another byte by byte, one viewer's packets hold one byte: all show the same. */
async function cutEverywhere(
  host: FaultHost,
  injection: Injection,
  streamOf: (round: number) => Buffer
): Promise<void> {
  const proxy = await TcpProxy.start(host.tandem.ready.url)
  proxy.drip()
  const terminals = [await host.door().create('whole'), await host.door().create('cut')] as const
  const file = join(host.world.root, 'stream')
  try {
    for (const round of injection.rounds()) {
      const end = `end-of-stream-${round}`
      // The reset at the beginning makes both terminals equal; the mark at the end says that all came.
      writeFileSync(file, Buffer.concat([Buffer.from('\x1bc'), streamOf(round), Buffer.from(`\x1b[0m\r\n${end}\r\n`)]))
      const whole = await shown(host, terminals[0].tmuxSession, { command: `cat ${file}`, end })
      const cut = await shown(host, terminals[1].tmuxSession, { command: `${process.execPath} ${DRIP} ${file}`, end })
      const late = new StreamClient(host.tandem, terminals[1].tmuxSession, proxy)
      await late.connect()
      // Not the mark: where a stream leaves margins behind, the prompt may stand on top of it.
      let joined: string[] = []
      const isShown = async () => {
        joined = await render(late.output)
        return JSON.stringify(joined) === JSON.stringify(whole)
      }
      await until(isShown, { what: () => `round ${round}, joined: ${diff(whole, joined)}` })
      late.take()
      if (JSON.stringify(cut) !== JSON.stringify(whole)) injection.loss(`round ${round}: ${diff(whole, cut)}`)
    }
  } finally {
    await proxy.close()
  }
}

async function shown(host: FaultHost, tmuxSession: string, { command, end }: { command: string; end: string }) {
  const tab = await Tab.open(host.tandem, tmuxSession)
  tab.type(`clear; ${command}\r`)
  await tab.sees(new RegExp(`${end}\\s[^]*\\$ $`))
  const lines = await render(tab.bytes)
  tab.close()
  return lines
}

function diff(expected: string[], seen: string[]): string {
  const row = expected.findIndex((line, index) => line !== seen[index])
  return `row ${row}: ${JSON.stringify(expected[row])} became ${JSON.stringify(seen[row])} (${expected.length}, ${seen.length})`
}

async function stormSizes(host: FaultHost, injection: Injection): Promise<void> {
  const { tmuxSession } = await host.door().create()
  const tabs: Tab[] = []
  for (let number = 0; number < 3; number += 1) tabs.push(await Tab.open(host.tandem, tmuxSession))
  for (const round of injection.rounds()) {
    const { random } = injection
    const [columns, rows] = round % 5 === 0 ? random.pick(UNUSABLE) : [random.between(2, 300), random.between(1, 120)]
    random.pick(tabs).resize(columns, rows)
    await pause(round % 10 === 0 ? 10 : 0)
  }
  // Three connections have no order among each other: first all that was sent must have come.
  await pause(1000)
  tabs[1]?.resize(91, 33)
  const size = () =>
    host.world.tmux('display-message', '-p', '-t', `=${tmuxSession}:`, '#{pane_width}x#{pane_height}').trim()
  if (injection.place === 'tmux') await until(() => size() === '91x33', { what: 'the last size' })
  // The program itself is asked below; in a pty nothing else knows the size.
  else await pause(1000)
  tabs[1]?.type('stty size\r')
  await tabs[1]?.sees('33 91')
  expect(tabs.map(({ closeCode }) => closeCode)).toEqual([undefined, undefined, undefined])
  for (const tab of tabs) tab.close()
  if (/unhandled|uncaught/i.test(host.tandem.stderr)) injection.loss(host.tandem.stderr)
}
