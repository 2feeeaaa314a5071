import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mountMissing, mountSmallDisk } from '../harness/faults/smallDisk'
import { changeStore } from '../harness/storeByHand'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { type Created, WorkspaceClient } from '../harness/workspace'

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
const query = () => new URLSearchParams({ project: world.project, session: 'work' })
const restart = (id: string) => tandem.api('POST', `/api/terminal/sessions/${id}/restart?${query()}`, {})

async function ended(): Promise<{ id: string; name: string; reason: string; offered: boolean }[]> {
  const { body } = await tandem.api('GET', `/api/terminal/ended?${query()}`)
  return body.ended as never
}

test('a closed terminal comes back with its id, name, place and directory, in a new session', async () => {
  const made = [await work.create('one'), await work.create('two'), await work.create('three')]
  const [, two] = made as [Created, Created, Created]
  expect(await work.kill(two.id)).toBe(true)
  expect(await ended()).toMatchObject([{ id: two.id, name: 'two', reason: 'closed', offered: false }])
  const { status, body } = await restart(two.id)
  expect({ status, body }).toMatchObject({ status: 200, body: { id: two.id } })
  expect(body.tmuxSession).not.toBe(two.tmuxSession)
  expect(body.wsUrl).toBe(`${tandem.ready.wsUrl}?arg=${body.tmuxSession}`)
  expect((await work.list()).map(({ id, name, state }) => [id, name, state])).toEqual(
    made.map(({ id }, index) => [id, ['one', 'two', 'three'][index], 'running'])
  )
  const tab = await Tab.open(tandem, two.id)
  tab.type('pwd; echo at-$((40+2))\r')
  await tab.sees('at-42')
  expect(tab.plain).toContain(world.project)
  tab.close()
  expect(await ended()).toEqual([])
})

test.skipIf(mountMissing())('on a full disk an exited one is not started again, and keeps its screen', async () => {
  const disk = mountSmallDisk(join(world.root, 'disk'))
  try {
    const place = { project: disk.path, session: 'work' }
    const { body } = await tandem.api('POST', '/api/terminal/sessions', place)
    const id = String(body.id)
    const tab = await Tab.open(tandem, id)
    tab.type('echo kept-$((40+2)); exit 3\r')
    await tab.sees('kept-42')
    const find = async () => {
      const { body } = await tandem.api('GET', `/api/terminal/sessions?${new URLSearchParams(place)}`)
      return (body.sessions as unknown as { state: string; exitCode: number | null }[])[0]
    }
    await until(async () => (await find())?.state === 'exited', { what: 'the exit' })
    disk.fill()
    const path = `/api/terminal/sessions/${id}/restart?${new URLSearchParams(place)}`
    const refused = await tandem.api('POST', path, {})
    expect(refused.body).toMatchObject({ error: { code: 'STORE_WRITE_FAILED' } })
    expect(await find()).toMatchObject({ state: 'exited', exitCode: 3 })
    const later = await Tab.open(tandem, id)
    await later.sees('kept-42')
    later.close()
    disk.free()
    expect((await tandem.api('POST', path, {})).status).toBe(200)
    expect(await find()).toMatchObject({ state: 'running', exitCode: null })
  } finally {
    disk.remove()
  }
})

test('a program that exited starts again in its place, and its old session is gone', async () => {
  const { id, tmuxSession } = await work.create()
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('exit 3\r')
  await until(async () => (await work.find(id))?.state === 'exited', { what: 'the exit' })
  expect((await restart(id)).status).toBe(200)
  expect(await work.list()).toMatchObject([{ id, state: 'running', exitCode: null }])
  expect(world.tmux('list-sessions', '-F', '#{session_name}')).not.toContain(tmuxSession)
  const again = await Tab.open(tandem, id)
  again.type('echo alive-$((1+1))\r')
  await again.sees('alive-2')
  expect(again.offset).toBeGreaterThanOrEqual(2 ** 40)
  again.close()
})

test('what runs is not started twice, what nobody knows is not found, and a body or unknown field is refused', async () => {
  const { id } = await work.create()
  expect(await restart(id)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_ARGUMENTS' } } })
  const nobody = '00000000-0000-4000-8000-000000000000'
  expect(await restart(nobody)).toMatchObject({ status: 404, body: { error: { code: 'SESSION_NOT_FOUND' } } })
  const path = `/api/terminal/sessions/${id}/restart?${query()}`
  expect((await tandem.api('POST', `${path}&command=id`, {})).status).toBe(400)
  expect((await tandem.api('POST', path, { command: 'id' })).status).toBe(400)
  expect((await tandem.api('GET', path)).status).toBe(405)
})

test('a directory that is gone is replaced by the project, with a warning', async () => {
  const { id } = await work.create()
  await work.kill(id)
  const store = join(world.project, '.collab/work/terminal-sessions.json')
  expect(readFileSync(store, 'utf8')).toContain(world.project)
  const inside = join(world.project, 'inside')
  mkdirSync(inside)
  // A record as the product would write it for a terminal in a directory below; the seal does not fit any more.
  changeStore(store, (whole) =>
    JSON.parse(JSON.stringify(whole).replace(`"cwd":"${world.project}"`, `"cwd":"${inside}"`))
  )
  rmSync(inside, { recursive: true })
  const { status, body } = await restart(id)
  expect(status).toBe(200)
  expect(body.warnings).toMatchObject([{ code: 'NOT_FOUND' }])
  expect(await work.list()).toMatchObject([{ id, cwd: world.project, state: 'running' }])
})

test('a record that came with a clone starts nothing, and on request only the default shell', async () => {
  const canary = join(world.root, 'canary')
  const evil = join(world.project, 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\nsleep 60\n`, { mode: 0o755 })
  const id = '00000000-0000-4000-8000-00000000beef'
  const record = { id, name: 'build', tmuxSession: 'mc-work-evil', created: '2026-01-01T00:00:00Z', order: 0 }
  const foreign = { ...record, program: evil, cwd: world.project, reason: 'host-rebooted', endedAt: '2026-01-01' }
  mkdirSync(join(world.project, '.collab/work'), { recursive: true })
  const store = { version: 1, sessions: [], ended: [foreign], lastModified: new Date().toISOString() }
  writeFileSync(join(world.project, '.collab/work/terminal-sessions.json'), JSON.stringify(store))
  await tandem.end('SIGTERM')
  tandem = await Tandem.start(world)
  expect(await ended()).toMatchObject([{ id, offered: false }])
  expect(await work.list()).toEqual([])
  const { body } = await restart(id)
  expect(body.warnings).toMatchObject([{ code: 'UNAUTHORIZED' }])
  const tab = await Tab.open(tandem, id)
  tab.type(`ls ${canary}; echo looked-$((1+1))\r`)
  await tab.sees('looked-2')
  expect(tab.plain).toContain('No such file')
  tab.close()
})
