import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMIT_MS } from '../harness/counts'
import { makeWorld, processesOf, runTandem, Tandem, type World } from '../harness/tandem'
import { repositoryStores } from '../harness/threats/repositoryStores'
import { until } from '../harness/waiting'
import { type Created, type Listed, WorkspaceClient } from '../harness/workspace'

// A repository that brings its own `.collab`: data of a stranger.

const STORE = 'terminal-sessions.json'

let world: World
let tandem: Tandem
let repository: string
let living: Created
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  repository = join(world.root, 'cloned')
  tandem = await Tandem.start(world)
  living = await work.create('mine')
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

const panes = () => world.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_pid} #{pane_dead} #{@tandem_stamp}')
/** Everything that runs here, but the watchdog's naps. */
const programs = () =>
  processesOf(world.root)
    .filter((pid) => commandOf(pid) !== 'sleep')
    .sort()

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return 'sleep' // gone meanwhile, as only the naps go
  }
}

function bring(session: string, content: string | Buffer): void {
  mkdirSync(join(repository, '.collab', session), { recursive: true })
  writeFileSync(join(repository, '.collab', session, STORE), content)
}

async function list(session: string): Promise<{ status: number; sessions: Listed[]; warnings: { code: string }[] }> {
  const query = new URLSearchParams({ project: repository, session })
  const { status, body } = await tandem.api('GET', `/api/terminal/sessions?${query}`)
  return { status, sessions: (body.sessions ?? []) as unknown as Listed[], warnings: (body.warnings ?? []) as never }
}

test('200 hostile stores start nothing, end nothing, and the person is told of each bad one', {
  timeout: LIMIT_MS
}, async () => {
  const canary = join(world.root, 'canary')
  const stores = repositoryStores(living, canary)
  expect(stores.length).toBeGreaterThanOrEqual(200)
  const [panesBefore, programsBefore] = [panes(), programs()]
  for (const [index, { title, content, isCorrupt }] of stores.entries()) {
    bring(`s${index}`, Buffer.from(content))
    const { status, sessions, warnings } = await list(`s${index}`)
    expect(status, title).toBe(200)
    expect(
      sessions.filter(({ state, pid }) => state === 'running' || pid !== null),
      title
    ).toEqual([])
    if (isCorrupt !== undefined)
      expect(
        warnings.some(({ code }) => code === 'STORE_CORRUPT'),
        title
      ).toBe(isCorrupt)
  }
  expect(panes()).toBe(panesBefore)
  expect(programs()).toEqual(programsBefore)
  expect(readdirSync(world.root)).not.toContain('canary')
  expect((await work.list()).map(({ id, state }) => [id, state])).toEqual([[living.id, 'running']])
})

test('a store that claims another workspace’s terminal gives no hold on it, by any handle', async () => {
  const { id, tmuxSession } = living
  const claim = { name: 'claimed', created: '2026', order: 0, backend: 'tmux', cwd: '/', program: '/bin/sh' }
  bring(
    'claim',
    JSON.stringify({ version: 1, sessions: [{ id, tmuxSession, ...claim }], lastModified: new Date().toISOString() })
  )
  const added = await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', 'guest', '--project', repository])
  const guest = { authorization: `Bearer ${added.stdout.trim()}` }
  const before = panes()
  const query = new URLSearchParams({ project: repository, session: 'claim' })
  for (const headers of [guest, {}]) {
    for (const handle of [id, tmuxSession, `sess_${id.slice(0, 8)}`]) {
      const one = `/api/terminal/sessions/${handle}`
      await tandem.api('PATCH', `${one}?${query}`, { name: 'taken over' }, headers)
      await tandem.api('PUT', `/api/terminal/sessions/reorder?${query}`, { orderedIds: [handle] }, headers)
      await tandem.api('DELETE', `${one}?${query}`, undefined, headers)
    }
    await tandem.api('DELETE', `/api/workspaces?${query}`, undefined, headers)
  }
  expect(panes()).toBe(before)
  expect((await work.list()).map(({ name, state }) => [name, state])).toEqual([['mine', 'running']])
})

test('what is no file at all is told, and holds nobody up', async () => {
  const place = (session: string) => {
    mkdirSync(join(repository, '.collab', session), { recursive: true })
    return join(repository, '.collab', session, STORE)
  }
  execFileSync('mkfifo', [place('fifo')])
  mkdirSync(place('folder'))
  writeFileSync(place('huge'), '{')
  truncateSync(place('huge'), 1024 ** 3)
  execFileSync('ln', ['-s', '/dev/zero', place('zero')])
  execFileSync('ln', ['-s', '/etc/passwd', place('passwords')])
  execFileSync('mknod', [place('device'), 'p'])
  for (const session of ['fifo', 'folder', 'huge', 'zero', 'passwords', 'device']) {
    const { status, sessions, warnings } = await list(session)
    expect([status, sessions], session).toEqual([200, []])
    expect(
      warnings.map(({ code }) => code),
      session
    ).toContain('STORE_CORRUPT')
  }
})

test('a host that starts with all of it known starts and ends nothing either', async () => {
  for (const session of ['s0', 'claim', 'fifo']) {
    await tandem.api('POST', '/api/terminal/sessions', { project: repository, session })
    await tandem.api('DELETE', `/api/workspaces?${new URLSearchParams({ project: repository, session })}`)
    await tandem.api('POST', '/api/terminal/sessions', { project: repository, session })
    bring(session === 'fifo' ? 's1' : session, '{"sessions":[{"id":')
  }
  const own = (text: string) => text.split('\n').filter((line) => line.startsWith('mc-'))
  // What was removed is ended a moment later.
  await until(() => own(panes()).length === 4, { what: 'nothing but the last of each' })
  const before = panes()
  await tandem.end('SIGKILL')
  tandem = await Tandem.start(world)
  expect(own(panes())).toEqual(own(before))
  expect((await work.list()).map(({ name, state }) => [name, state])).toEqual([['mine', 'running']])
})
