import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { fakeClock, fakeClockMissing } from '../harness/faults/fakeClock'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive } from '../harness/faults/processIdentity'
import { StreamClient } from '../harness/faults/streamClient'
import { TcpProxy } from '../harness/faults/tcpProxy'
import { connectMcp } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { processesOf } from '../harness/tandem'
import { pause, until } from '../harness/waiting'

const WATCHER = fileURLToPath(new URL('../harness/faults/watcher.mjs', import.meta.url))
const HOUR_MS = 3_600_000
const MEGABYTE = 1024 * 1024
// What a heap grows and shrinks by while a flood runs through it.
const MAX_KEPT_MEGABYTES = 60

faultTest(
  { id: 'B16', fault: 'peers vanish without a word', quick: 10, full: 500, places: BOTH_PLACES, waits: true },
  (injection) => FaultHost.during((host) => vanish(host, injection), { injection })
)

faultTest(
  {
    id: 'B23',
    fault: 'the clock jumps',
    quick: 2,
    full: 50,
    places: BOTH_PLACES,
    waits: true,
    missing: fakeClockMissing()
  },
  async (injection) => {
    const clock = fakeClock()
    try {
      const options = { wrapper: clock.wrapper }
      await FaultHost.during((host) => jumpClock(host, injection, clock.set), { injection, options })
    } finally {
      clock.remove()
    }
  }
)

faultTest(
  {
    id: 'B23',
    fault: 'the host, what keeps the programs, and they sleep and wake',
    quick: 1,
    full: 50,
    places: BOTH_PLACES,
    waits: true
  },
  (injection) => FaultHost.during((host) => sleepAndWake(host, injection), { injection })
)

faultTest({ id: 'B15', fault: 'the host crashes or hangs under a watching client', quick: 3, full: 200 }, (injection) =>
  FaultHost.during((host) => crashUnderClient(host, injection), { injection })
)

/** Half-open connections are found out by pings; what they held is free again, although a flood was on its way. */
async function vanish(host: FaultHost, injection: Injection): Promise<void> {
  const { tmuxSession } = await host.door().create()
  await (await flood(host, tmuxSession))()
  const base = host.openDescriptors()
  const baseBytes = host.residentBytes()
  const proxy = await TcpProxy.start(host.tandem.ready.url)
  const clients: StreamClient[] = []
  let watchers: ChildProcess | undefined
  try {
    for (const round of injection.rounds()) {
      if (round % 2 === 1) continue
      const client = new StreamClient(host.tandem, tmuxSession, proxy)
      clients.push(client)
      await client.connect()
      await until(() => client.output.length > 0, { what: 'the first output' })
    }
    watchers = await watchApart(host, { tmuxSession, count: injection.done - clients.length })
    expect(host.openDescriptors()).toBeGreaterThanOrEqual(base + injection.done)
    proxy.swallow()
    watchers.kill('SIGSTOP')
    const startedMs = performance.now()
    const endFlood = await flood(host, tmuxSession)
    await until(() => host.openDescriptors() <= base, { what: 'everything to be freed', limitMs: 90_000 })
    injection.limit('freedAfterSeconds', (performance.now() - startedMs) / 1000, 25)
    await endFlood()
    injection.limit('keptMegabytes', (host.residentBytes() - baseBytes) / MEGABYTE, MAX_KEPT_MEGABYTES)
  } finally {
    watchers?.kill('SIGKILL')
    await proxy.close()
  }
}

/** Begins a flood that nobody watches; returns how to end it. */
async function flood(host: FaultHost, tmuxSession: string): Promise<() => Promise<void>> {
  const typed = async (keys: string[], isDone: (tab: Tab) => boolean) => {
    const tab = await Tab.open(host.tandem, tmuxSession)
    for (const key of keys) {
      tab.type(key)
      await pause(200)
    }
    await until(() => isDone(tab), { what: () => `the flood to begin or end: ${tab.plain.slice(-100)}` })
    tab.close()
    // Its socket is one of the host's descriptors for a moment.
    await pause(200)
  }
  await typed(['yes 0123456789012345678901234567890123456789\r'], ({ bytes }) => bytes.length > 4 * MEGABYTE)
  return () => typed(['\x03', 'echo calm-$((1+1))\r'], ({ bytes }) => bytes.includes('calm-2'))
}

/** Clients in a process that can be stopped. */
async function watchApart(
  host: FaultHost,
  { tmuxSession, count }: { tmuxSession: string; count: number }
): Promise<ChildProcess> {
  const { wsUrl, token } = host.tandem.ready
  const url = `${wsUrl}?arg=${encodeURIComponent(tmuxSession)}`
  const child = spawn(process.execPath, [WATCHER, JSON.stringify({ url, token, count })], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await until(() => said.includes('watching') || child.exitCode !== null, { what: 'the other clients' })
  expect(child.exitCode).toBe(null)
  return child
}

/** An hour ahead and back: nobody is thrown out, nothing is lost or made twice, and a kill takes no hour. */
async function jumpClock(host: FaultHost, injection: Injection, set: (offset: string) => void): Promise<void> {
  const door = host.door()
  const { tmuxSession } = await door.create('first')
  const tab = await Tab.open(host.tandem, tmuxSession)
  const cookie = await cookieOf(host)
  const { mcpUrl, token } = host.tandem.ready
  const agent = await connectMcp('2025', { url: mcpUrl, token })
  for (const round of injection.rounds()) {
    const keyed = () => door.create(`keyed ${round}`, { 'idempotency-key': `round ${round}` })
    const made = await keyed()
    const aheadMs = round % 2 === 0 ? HOUR_MS : -HOUR_MS
    set(aheadMs > 0 ? '+3600' : '-3600')
    await pause(6000)
    tab.type(`echo clock-$((${round}+1))\r`)
    await tab.sees(`clock-${round + 1}`)
    expect((await keyed()).id).toBe(made.id)
    expect([tab.closeCode, ...(await door.list()).map(({ state }) => state)]).toEqual([undefined, 'running', 'running'])
    const second = await door.create('second')
    expectJumped((await door.list()).find(({ id }) => id === second.id)?.created ?? '', aheadMs)
    expect(await fetchStatus(host, cookie)).toBe(200)
    expect((await agent.listTools()).length).toBeGreaterThan(0)
    for (const { id } of [second, made]) expect((await door.kill(id)).success).toBe(true)
  }
  await agent.close()
  tab.close()
}

/** The host went by the clock that was set. */
function expectJumped(created: string, aheadMs: number): void {
  expect(Math.abs(Date.parse(created) - Date.now() - aheadMs)).toBeLessThan(HOUR_MS / 10)
}

/** A browser that was let in. */
async function cookieOf({ tandem }: FaultHost): Promise<string> {
  const entered = await fetch(await tandem.freshUrl(), { redirect: 'manual' })
  return entered.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function fetchStatus({ tandem }: FaultHost, cookie: string): Promise<number> {
  return (await fetch(`${tandem.ready.url}/api/workspaces`, { headers: { cookie, origin: tandem.ready.url } })).status
}

async function sleepAndWake(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const { tmuxSession } = await door.create('first')
  const program = identify((await door.list())[0]?.pid ?? 0)
  const tab = await Tab.open(host.tandem, tmuxSession)
  for (const round of injection.rounds()) {
    const pids = processesOf(host.world.root)
    expect(pids).toEqual(expect.arrayContaining([host.pid, program?.pid]))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await pause(injection.isFull ? 60_000 : 6000)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    await until(async () => (await door.list()).every(({ state }) => state === 'running'), { what: 'states running' })
    if (tab.closeCode !== undefined) injection.loss(`a viewer was thrown out with ${tab.closeCode}`)
    tab.type(`echo awake-$((${round}+1))\r`)
    await tab.sees(`awake-${round + 1}`)
    if (!program || !isAlive(program)) injection.loss('the program ended')
  }
  tab.close()
}

/** A killed host is noticed at once; the next one, on the same port, goes on with everything that was on the screen. */
async function crashUnderClient(host: FaultHost, injection: Injection): Promise<void> {
  const { tmuxSession } = await host.door().create()
  const { port } = new URL(host.tandem.ready.url)
  const flags = ['--port', port]
  for (const round of injection.rounds()) {
    const tab = await Tab.open(host.tandem, tmuxSession)
    tab.type(`echo before-$((${round}+1))\r`)
    await tab.sees(`before-${round + 1}`)
    if (round % 3 === 2) {
      process.kill(host.pid, 'SIGSTOP')
      tab.type(`echo held-$((${round}+1))\r`)
      await pause(500)
      process.kill(host.pid, 'SIGCONT')
      await tab.sees(`held-${round + 1}`)
      tab.close()
      continue
    }
    const crashedMs = performance.now()
    await host.crash()
    await tab.closed()
    injection.limit('toldMs', performance.now() - crashedMs, 5000)
    injection.note('readyMs', await host.restart({ flags }))
    const readyMs = performance.now()
    const again = await Tab.open(host.tandem, tmuxSession, { from: tab.offset ?? 0 })
    await again.sees(`before-${round + 1}`)
    injection.limit('reattachedAfterMs', performance.now() - readyMs, 2000)
    again.type(`echo after-$((${round}+1))\r`)
    await again.sees(`after-${round + 1}`)
    again.close()
  }
}
