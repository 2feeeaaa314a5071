import { afterEach, beforeEach, expect, test } from 'vitest'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { isRunning } from '../harness/tmuxServer'
import { until } from '../harness/waiting'
import { type Created, WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeEach(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})

afterEach(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

/** A program that a hang-up does not end; answers its pid. */
async function stubborn({ tmuxSession }: Created): Promise<number> {
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type(`sh -c 'trap "" HUP; echo pid=$$=; while :; do sleep 0.1; done'\r`)
  const pid = await until(() => Number(/^pid=(\d+)=/m.exec(tab.plain)?.[1] ?? 0), { what: 'its pid' })
  tab.close()
  return pid
}

const lost = (id: string) => until(async () => (await work.find(id))?.state === 'lost', { what: 'a lost terminal' })

test('a terminal that is lost takes its programs with it when it is closed', async () => {
  const made = await work.create()
  const neighbour = await work.create()
  const pid = await stubborn(made)
  world.tmux('kill-session', '-t', `=${made.tmuxSession}`)
  await lost(made.id)
  expect(isRunning(pid)).toBe(true)
  expect(await work.kill(made.id)).toBe(true)
  expect(isRunning(pid)).toBe(false)
  expect((await work.list()).map(({ id, state }) => [id, state])).toEqual([[neighbour.id, 'running']])
})

test('so it is when the tmux server was killed, and for a whole workspace', async () => {
  const [one, other] = [await work.create(), await work.create()]
  const pids = [await stubborn(one), await stubborn(other)]
  process.kill(world.tmuxServerPid(), 'SIGKILL')
  await lost(one.id)
  await lost(other.id)
  expect(pids.filter(isRunning)).toEqual(pids)
  expect(await work.kill(one.id)).toBe(true)
  expect(pids.filter(isRunning)).toEqual(pids.slice(1))
  const query = new URLSearchParams({ project: world.project, session: 'work' })
  const { status } = await tandem.api('DELETE', `/api/workspaces?${query}`)
  expect(status).toBe(200)
  await until(() => !pids.some(isRunning), { what: 'the end of both' })
})
