import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '../harness/faults/random'
import { SEED } from '../harness/seed'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const random = seededRandom(SEED)

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
    await pause(random.below(60))
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

test('what was being closed when its host was killed is ended by the next one and never listed again', async () => {
  const stubborn = async (word: string) => {
    const { id, tmuxSession } = await work.create(word)
    const tab = await Tab.open(tandem, tmuxSession)
    tab.type(`exec sh -c "trap '' HUP TERM; echo ${word}-\\$((1+1)); while :; do sleep 1; done"\r`)
    await tab.sees(`${word}-2`)
    tab.close()
    return id
  }
  await stubborn('removed')
  const query = new URLSearchParams({ project: world.project, session: 'work' })
  expect((await tandem.api('DELETE', `/api/workspaces?${query}`)).body).toEqual({ success: true, killed: 1 })
  await tandem.end('SIGKILL')
  expect(world.tmux('list-sessions', '-F', '#{session_name}')).toMatch(/^mc-/m)
  tandem = await Tandem.start(world)
  expect(await work.list()).toEqual([])
  const left = () => world.tmux('list-sessions', '-F', '#{session_name}').match(/^mc-.+$/gm) ?? []
  await until(() => left().length === 0, { what: 'its program to be ended' })
  expect(await work.list()).toEqual([])
})

test('a program goes on undisturbed while its host is killed and started again', async () => {
  const { tmuxSession } = await work.create()
  const file = join(world.root, 'counter.log')
  const counted = () => readCounter(file).counts.length
  const goesOn = (during: string) => {
    const before = counted()
    return until(() => counted() > before + 20, { what: `the program to go on ${during}` })
  }
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type(`exec ${process.execPath} ${COUNTER} ${file}\r`)
  await tab.sees('count 20')
  for (let round = 0; round < 3; round++) {
    await tandem.end('SIGKILL')
    await goesOn('without a host')
    tandem = await Tandem.start(world)
    await goesOn('with the next host')
  }
  const again = await Tab.open(tandem, tmuxSession)
  await again.sees(`count ${Math.ceil(counted() / 10) * 10}`)
  again.close()
  const { counts, signals } = readCounter(file)
  expect(signals).toEqual([])
  expect(counts).toEqual(counts.map((_, index) => index + 1))
})

function readCounter(file: string): { counts: number[]; signals: string[] } {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const signals = lines.filter((line) => line.startsWith('signal'))
  return { counts: lines.filter((line) => !line.startsWith('signal')).map(Number), signals }
}
