import { expect } from 'vitest'
import type { Door } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive, type ProcessIdentity } from '../harness/faults/processIdentity'
import { Tab } from '../harness/tab'
import { until } from '../harness/waiting'

// Programs in the host itself end with it, and that is said beforehand: what must never be lost is the knowledge of them.

const NAMES = ['one', 'two', 'three']
const LINES = 20_000

faultTest(
  {
    id: 'B1',
    fault: 'the host is killed at any moment, and its programs end with it',
    quick: 5,
    full: 200,
    places: ['pty']
  },
  (injection) => FaultHost.during((host) => endHosts(host, injection, 'SIGKILL'), { injection })
)

faultTest(
  { id: 'B15', fault: 'the host is told to stop while programs run in it', quick: 2, full: 100, places: ['pty'] },
  (injection) => FaultHost.during((host) => endHosts(host, injection, 'SIGTERM'), { injection })
)

faultTest(
  {
    id: 'B11',
    fault: 'a program is killed, or exits in the middle of its output',
    quick: 6,
    full: 200,
    places: ['pty']
  },
  (injection) => FaultHost.during((host) => endPrograms(host, injection), { injection })
)

/** Whatever ends the host: no program stays behind, and the next host offers every terminal with its name and place. */
async function endHosts(host: FaultHost, injection: Injection, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  for (const round of injection.rounds()) {
    const door = host.door(`round${round}`)
    for (const name of NAMES) await door.create(name)
    const programs = (await door.list()).flatMap(({ pid }) => identify(pid ?? 0) ?? [])
    expect(programs).toHaveLength(NAMES.length)
    await host.tandem.end(signal)
    await until(() => !programs.some(isAlive), { what: 'the programs to end with their host' })
    const readyMs = await host.restart()
    injection.limit('readyMs', readyMs, signal === 'SIGKILL' ? 2000 : Number.POSITIVE_INFINITY)
    expect(await door.list()).toEqual([])
    const offered = (await endedOf(host, door)).filter(({ offered }) => offered)
    expect(offered.map(({ name, order }) => [name, order])).toEqual(NAMES.map((name, order) => [name, order]))
    for (const { cwd } of offered) expect(cwd).toBe(host.world.project)
    expect(host.stored(door)).toEqual([])
  }
}

interface Ended {
  name: string
  order: number
  cwd: string
  offered: boolean
}

async function endedOf({ tandem }: FaultHost, { project, session }: Door): Promise<Ended[]> {
  const { body } = await tandem.api('GET', `/api/terminal/ended?${new URLSearchParams({ project, session })}`)
  return body.ended as unknown as Ended[]
}

/** A shell that is killed says so; one that prints much and exits loses nothing of it. The others go on. */
async function endPrograms(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const other = await door.create('goes on')
  for (const round of injection.rounds()) {
    const { id, tmuxSession } = await door.create(`ends ${round}`)
    const shell = identify((await door.list()).find((one) => one.id === id)?.pid ?? 0)
    const tab = await Tab.open(host.tandem, tmuxSession)
    if (round % 2 === 0) await killShell(tab, shell)
    else await printAndExit(tab, injection)
    const state = async () => (await door.list()).find((one) => one.id === id)
    await until(async () => (await state())?.state === 'exited', { what: 'the end to be told' })
    expect((await state())?.exitCode).toBe(round % 2 === 0 ? null : 3)
    await door.kill(id)
  }
  expect((await door.list()).map(({ id, state }) => [id, state])).toEqual([[other.id, 'running']])
}

async function killShell(tab: Tab, shell: ProcessIdentity | undefined): Promise<void> {
  tab.type('echo ready-$((1+1))\r')
  await tab.sees('ready-2')
  if (shell) process.kill(shell.pid, 'SIGKILL')
  await tab.closed()
}

async function printAndExit(tab: Tab, injection: Injection): Promise<void> {
  tab.type(`stty -echo; echo; seq 1 ${LINES}; exit 3\r`)
  await tab.closed()
  const lines = tab.bytes.toString().split(/\r?\n/)
  const seen = new Set(lines)
  const missing = Array.from({ length: LINES }, (_, index) => String(index + 1)).filter((line) => !seen.has(line))
  if (missing.length > 0) injection.loss(`${missing.length} lines lost, first ${missing[0]}`)
  if (lines.filter((line) => line === String(LINES)).length !== 1) injection.loss('the last line is not there once')
}
