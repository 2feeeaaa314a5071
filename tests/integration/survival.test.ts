import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const COUNTER = fileURLToPath(new URL('../harness/counter.mjs', import.meta.url))

let world: World
let tandem: Tandem

beforeEach(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterEach(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

const work = new WorkspaceClient(() => tandem)

test('a host that is killed at any moment comes back with every terminal and its scrollback', async () => {
  const made = [await work.create('one'), await work.create('two'), await work.create()]
  const first = await Tab.open(tandem, made[0]?.tmuxSession ?? '')
  first.type('for n in $(seq 1 3000); do echo line-$n-of-3000; done\r')
  await first.sees('line-3000-of-3000')
  for (let round = 0; round < 5; round++) {
    const busy = work.create(`during ${round}`).catch(() => undefined)
    await pause(Math.random() * 60)
    await tandem.end('SIGKILL')
    await busy
    tandem = await Tandem.start(world)
    const names = (await work.list()).map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['one', 'two', 'Terminal 3'])
    expect((await work.list()).map(({ order }) => order)).toEqual(names.map((_, order) => order))
    expect((await work.list()).every(({ state }) => state === 'running')).toBe(true)
    const tab = await Tab.open(tandem, made[0]?.tmuxSession ?? '')
    await tab.sees('line-3000-of-3000')
    for (const n of [1, 1500, 2999]) expect(tab.plain).toContain(`line-${n}-of-3000`)
    tab.type(`echo alive-$((${round}+1))\r`)
    await tab.sees(`alive-${round + 1}`)
    tab.close()
  }
})

test('a program goes on undisturbed while its host is killed and started again', async () => {
  const { tmuxSession } = await work.create()
  const inside = join(world.root, 'inside.log')
  const outside = join(world.root, 'outside.log')
  const control = spawn(process.execPath, [COUNTER, outside], { stdio: 'ignore' })
  try {
    const tab = await Tab.open(tandem, tmuxSession)
    tab.type(`exec ${process.execPath} ${COUNTER} ${inside}\r`)
    await tab.sees('count 20')
    for (let round = 0; round < 3; round++) {
      await tandem.end('SIGKILL')
      tandem = await Tandem.start(world)
      await pause(300)
    }
    const again = await Tab.open(tandem, tmuxSession)
    await until(() => readCounter(inside).ticks.length > 200)
    again.close()
  } finally {
    control.kill('SIGKILL')
  }
  const { ticks, signals } = readCounter(inside)
  expect(signals).toEqual([])
  expect(ticks.map(({ count }) => count)).toEqual(ticks.map((_, index) => index + 1))
  expect(pausesNotSharedWith(readCounter(outside).ticks, ticks)).toEqual([])
})

interface Tick {
  count: number
  at: number
}

function readCounter(file: string): { ticks: Tick[]; signals: string[] } {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const signals = lines.filter((line) => line.startsWith('signal'))
  const ticks = lines
    .filter((line) => !line.startsWith('signal'))
    .map((line) => line.split(' ').map(Number))
    .map(([count = 0, at = 0]) => ({ count, at }))
  return { ticks, signals }
}

/** Pauses over 100 ms that the machine itself did not make: a counter outside Tandem did not stand still meanwhile. */
function pausesNotSharedWith(control: Tick[], ticks: Tick[]): number[] {
  return gaps(ticks)
    .filter(({ from, to }) => !gaps(control, 40).some((other) => other.from < to && other.to > from))
    .map(({ from, to }) => to - from)
}

function gaps(ticks: Tick[], over = 100): { from: number; to: number }[] {
  return ticks
    .map((tick, index) => ({ from: ticks[index - 1]?.at ?? tick.at, to: tick.at }))
    .filter(({ from, to }) => to - from > over)
}
