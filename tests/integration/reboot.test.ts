import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PtyAgent } from '../harness/ptyAgent'
import { changeStore } from '../harness/storeByHand'
import { Tab } from '../harness/tab'
import { killTmuxServer, makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

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
const serversFile = () => join(world.dataDir, 'tmux-servers.json')

interface Ended {
  id: string
  name: string
  order: number
  cwd: string
  reason: string
  offered: boolean
}

async function ended(): Promise<Ended[]> {
  const { body } = await tandem.api('GET', `/api/terminal/ended?${query()}`)
  return body.ended as never
}

/** What a restart of the machine leaves: no host, no tmux server, and another boot id when it starts again. */
async function powerCut({ isReboot }: { isReboot: boolean }): Promise<void> {
  await tandem.end('SIGKILL')
  await killTmuxServer(world)
  if (!isReboot) return
  const kept = JSON.parse(readFileSync(serversFile(), 'utf8')) as { bootId: string }
  writeFileSync(serversFile(), JSON.stringify({ ...kept, bootId: 'an earlier boot' }))
}

test.each([
  { isReboot: true, reason: 'host-rebooted' },
  { isReboot: false, reason: 'vanished' }
])(
  'without a tmux server every terminal is offered again and none is started: $reason',
  async ({ isReboot, reason }) => {
    const made = [await work.create('one'), await work.create('two'), await work.create('three')]
    await powerCut({ isReboot })
    tandem = await Tandem.start(world)
    expect(tandem.stderr).toContain('removed 3 orphan records, killed 0 orphan tmux sessions, adopted 0')
    expect(await work.list()).toEqual([])
    expect((await ended()).map(({ id, name, order }) => [id, name, order])).toEqual(
      made.map(({ id }, order) => [id, ['one', 'two', 'three'][order], order])
    )
    for (const one of await ended()) expect(one).toMatchObject({ reason, offered: true, cwd: world.project })
    expect(world.tmux('list-sessions', '-F', '#{session_name}')).not.toContain('mc-')
    for (const { id } of await ended()) await tandem.api('POST', `/api/terminal/sessions/${id}/restart?${query()}`, {})
    expect((await work.list()).map(({ id, name, state, cwd }) => [id, name, state, cwd])).toEqual(
      made.map(({ id }, order) => [id, ['one', 'two', 'three'][order], 'running', world.project])
    )
    expect(await ended()).toEqual([])
  }
)

test('the offer outlives further hosts, and a forgotten one is not made again', async () => {
  const { id } = await work.create('one')
  await powerCut({ isReboot: true })
  for (let round = 0; round < 2; round++) {
    tandem = await Tandem.start(world)
    expect(await ended()).toMatchObject([{ id, reason: 'host-rebooted', offered: true }])
    await tandem.end('SIGTERM')
  }
  tandem = await Tandem.start(world)
  const forget = () => tandem.api('DELETE', `/api/terminal/ended/${id}?${query()}`)
  expect((await forget()).body).toEqual({ success: true })
  expect(await ended()).toMatchObject([{ id, offered: false }])
})

test('terminals of a server that runs under another socket name are not taken for gone', async () => {
  const { id } = await work.create('one')
  const pid = world.tmuxServerPid()
  await tandem.end('SIGKILL')
  const elsewhere: World = {
    ...world,
    environment: { ...world.environment, TANDEM_TMUX_SOCKET: `${world.environment.TANDEM_TMUX_SOCKET}-x` }
  }
  tandem = await Tandem.start(elsewhere)
  const { body } = await tandem.api('GET', `/api/terminal/sessions?${query()}`)
  expect(body.sessions).toMatchObject([{ id, state: 'unknown' }])
  expect(body.warnings).toMatchObject([{ code: 'TMUX_UNAVAILABLE', message: expect.stringContaining(String(pid)) }])
  expect(await ended()).toEqual([])
  const restart = await tandem.api('POST', `/api/terminal/sessions/${id}/restart?${query()}`, {})
  const refused = { status: 503, body: { error: { code: 'TMUX_UNAVAILABLE' } } }
  expect(restart).toMatchObject(refused)
  expect(await tandem.api('DELETE', `/api/terminal/sessions/${id}?${query()}`)).toMatchObject(refused)
  expect(await tandem.api('DELETE', `/api/workspaces?${query()}`)).toMatchObject(refused)
  await tandem.end('SIGTERM')
  tandem = await Tandem.start(world)
  expect(await work.list()).toMatchObject([{ id, name: 'one', state: 'running' }])
})

test('reconciling on demand answers with counts, and with an error while tmux does not answer', async () => {
  const { id, tmuxSession } = await work.create('one')
  expect((await tandem.api('POST', '/api/reconcile', {})).body).toEqual({ removed: 0, killed: 0, adopted: 0 })
  const store = join(world.project, '.collab/work/terminal-sessions.json')
  const stray = { id: '00000000-0000-4000-8000-000000000001', name: 'stray', tmuxSession: 'mc-x-1' }
  changeStore(store, ({ sessions, ...rest }) => ({ ...rest, sessions: [{ ...sessions[0], ...stray }] }))
  expect((await tandem.api('POST', '/api/reconcile', {})).body).toEqual({ removed: 1, killed: 0, adopted: 1 })
  expect(await work.list()).toMatchObject([{ id, tmuxSession, state: 'running' }])
  const pid = world.tmuxServerPid()
  const before = readFileSync(store, 'utf8')
  process.kill(pid, 'SIGSTOP')
  try {
    expect(await tandem.api('POST', '/api/reconcile', {})).toMatchObject({
      status: 503,
      body: { error: { code: 'TMUX_UNRESPONSIVE' } }
    })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(readFileSync(store, 'utf8')).toBe(before)
})

test('a host that starts while tmux does not answer knows its terminals by name, and takes them up by itself', async () => {
  const { id, tmuxSession } = await work.create('one')
  await tandem.end('SIGKILL')
  const pid = world.tmuxServerPid()
  process.kill(pid, 'SIGSTOP')
  try {
    tandem = await Tandem.start(world)
    expect(await work.list()).toMatchObject([{ id, state: 'unknown' }])
    const agent = await PtyAgent.connect(tandem)
    expect(await agent.refusal('send', { session_id: id, text: 'x' })).toMatch(/^SESSION_ERROR/)
    await agent.close()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const said = () => tandem.stderr.split('Reconciled:').length - 1
  const before = said()
  await until(() => said() > before, { what: 'a look that nobody asked for' })
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('echo alive-$((1+1))\r')
  await tab.sees('alive-2')
  tab.close()
})

test('a record of any id that a store may hold is started again and found again by the next host', async () => {
  const { id } = await work.create('one')
  await work.kill(id)
  const store = join(world.project, '.collab/work/terminal-sessions.json')
  const odd = '12345678-1234-1234-1234-123456789abc'
  changeStore(store, (whole) => JSON.parse(JSON.stringify(whole).replaceAll(id, odd)))
  expect((await tandem.api('POST', `/api/terminal/sessions/${odd}/restart?${query()}`, {})).status).toBe(200)
  await tandem.end('SIGKILL')
  tandem = await Tandem.start(world)
  expect(await work.list()).toMatchObject([{ id: odd, state: 'running' }])
})

test('a session whose stamp was damaged is not taken for gone', async () => {
  const { id, tmuxSession } = await work.create('one')
  await tandem.end('SIGKILL')
  world.tmux('set-option', '-t', `=${tmuxSession}:`, '@tandem_stamp', 'e30')
  tandem = await Tandem.start(world)
  expect(await work.list()).toMatchObject([{ id, state: 'unknown' }])
  expect(await ended()).toEqual([])
})

test('with orphans set to kill, only what has our exact stamp and no record is ended', async () => {
  await work.create('kept')
  const orphan = await work.create('orphan')
  await tandem.end('SIGTERM')
  world.tmux('new-session', '-d', '-s', 'mc-work-0000', 'sleep 600')
  const store = join(world.project, '.collab/work/terminal-sessions.json')
  const isKept = ({ id }: { id: string }) => id !== orphan.id
  changeStore(store, ({ sessions, ...rest }) => ({ ...rest, sessions: sessions.filter(isKept) }))
  writeFileSync(join(world.dataDir, 'config.json'), JSON.stringify({ orphans: 'kill' }), { mode: 0o600 })
  tandem = await Tandem.start(world)
  expect(tandem.stderr).toContain('Reconciled: removed 0 orphan records, killed 1 orphan tmux sessions, adopted 0')
  expect((await work.list()).map(({ name }) => name)).toEqual(['kept'])
  expect(world.tmux('list-sessions', '-F', '#{session_name}')).toContain('mc-work-0000')
  expect(existsSync(store)).toBe(true)
})
