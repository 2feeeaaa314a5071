import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { otherVersion } from '../harness/otherVersion'
import { ScreenShell } from '../harness/screenShell'
import { Tab } from '../harness/tab'
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const COUNTER = fileURLToPath(new URL('../harness/counter.mjs', import.meta.url))

let world: World
let tandem: Tandem
const running: Tandem[] = []
const work = new WorkspaceClient(() => tandem)

beforeEach(() => {
  world = makeWorld()
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.end('SIGKILL')
  await world.remove()
})

async function start(flags: string[] = [], entry?: string): Promise<Tandem> {
  const started = await Tandem.start(world, flags, entry === undefined ? {} : { entry })
  running.push(started)
  return started
}

const ticksIn = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)

test('a newer host takes over by itself: same address, same terminals, and the programs notice nothing', async () => {
  const older = await start([], otherVersion(world, '0.0.9'))
  tandem = older
  expect(older.ready.version).toBe('0.0.9')
  const { id, tmuxSession } = await work.create('kept')
  const count = join(world.root, 'count.log')
  const before = await Tab.open(older, tmuxSession)
  before.type(`exec ${process.execPath} ${COUNTER} ${count}\r`)
  await before.sees('count 20')
  const cookie = await browserCookie(older)
  const { pid } = (await work.find(id)) ?? {}

  tandem = await start()
  expect(await older.exit()).toBe(0)
  expect(tandem.ready.url).toBe(older.ready.url)
  expect(tandem.ready.token).toBe(older.ready.token)
  expect(await work.find(id)).toMatchObject({ name: 'kept', state: 'running', pid })
  const after = await Tab.open(tandem, tmuxSession)
  const seen = ticksIn(count).length
  await until(() => ticksIn(count).length > seen + 20, { what: 'the program counting on' })
  await after.sees(`count ${Math.floor(seen / 10) * 10 + 20}`)
  const lines = ticksIn(count)
  expect(lines.filter((line) => line.startsWith('signal'))).toEqual([])
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(lines.map((_, index) => index + 1))
  const printed = [...after.plain.matchAll(/count (\d+)\r?\n/g)].map(([, n]) => Number(n))
  expect(printed).toEqual(printed.map((_, index) => (index + 1) * 10))
  const page = await fetch(`${tandem.ready.url}/`, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('id="root"')
})

test('who is attached stays so while hosts change hands, and misses nothing', async () => {
  tandem = await start([], otherVersion(world, '0.0.9'))
  const { id } = await work.create('watched')
  const count = join(world.root, 'count.log')
  const person = new ScreenShell(world, '/bin/bash --norc')
  try {
    person.type(`${process.execPath} ${ENTRY} attach --data-dir ${world.dataDir} watched; echo "exit=$?"\n`)
    await person.sees(/^\$ $/m)
    person.type(`exec ${process.execPath} ${COUNTER} ${count}\n`)
    await person.sees('count 20')
    const older = tandem
    tandem = await start()
    expect(await older.exit()).toBe(0)
    const seen = ticksIn(count).length
    await person.sees(`count ${Math.floor(seen / 10) * 10 + 20}`)
    const printed = [...person.text.matchAll(/count (\d+)$/gm)].map(([, n]) => Number(n))
    // The new host shows the screen anew with its history: from there on nothing is missing or twice.
    const shown = printed.slice(printed.lastIndexOf(10))
    expect(shown).toEqual(shown.map((_, index) => (index + 1) * 10))
    expect(shown.length).toBeGreaterThan(seen / 10)
    person.press('C-]')
    await person.sees('exit=0')
    expect(await work.find(id)).toMatchObject({ state: 'running' })
  } finally {
    person.end()
  }
})

test('a host of the same version leaves the running one alone, unless it is told to take over', async () => {
  const first = await start()
  tandem = first
  const { id } = await work.create()
  const refused = await runTandem(world, ['serve', '--port', '0', '--data-dir', world.dataDir])
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain(String(first.ready.pid))
  tandem = await start(['--take-over'])
  expect(await first.exit()).toBe(0)
  expect(await work.find(id)).toMatchObject({ state: 'running' })
  expect(first.stderr).toContain('Handed over')
})

test('an older host does not take over from a newer one', async () => {
  tandem = await start()
  const entry = otherVersion(world, '0.0.9')
  await expect(start([], entry)).rejects.toThrow(/ended with 3: .*already running/s)
  expect((await tandem.api('GET', '/api/workspaces')).status).toBe(200)
})

test('when the newer host cannot start, the older one is in charge again, at the same address', async () => {
  tandem = await start([], otherVersion(world, '0.0.9'))
  const { id, tmuxSession } = await work.create('kept')
  const { server: squatter, port } = await busyPort()
  try {
    const failed = await runTandem(world, ['serve', '--port', String(port), '--data-dir', world.dataDir])
    expect(failed.code).toBe(4)
  } finally {
    squatter.close()
  }
  await until(() => tandem.stderr.includes('in charge again'), { what: 'the older host' })
  expect(await work.find(id)).toMatchObject({ name: 'kept', state: 'running' })
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('echo still-$((40+2))\r')
  await tab.sees('still-42')
  const listed = await runTandem(world, ['ls', '--json', '--data-dir', world.dataDir])
  expect(JSON.parse(listed.stdout)).toMatchObject({ terminals: [{ id }] })
  tandem = await start()
  expect(await work.find(id)).toMatchObject({ state: 'running' })
})

test('what is created while hosts change hands is either refused or kept, once', async () => {
  tandem = await start()
  const answered: string[] = []
  let isOver = false
  const creating = (async () => {
    for (let n = 0; !isOver; n++) {
      const created = await work.create(`number ${n}`).catch(() => undefined)
      if (created) answered.push(created.id)
    }
  })()
  await until(() => answered.length > 2, { what: 'a few terminals' })
  for (let round = 0; round < 3; round++) {
    const next = await start(['--take-over'])
    tandem = next
    const before = answered.length
    await until(() => answered.length > before + 2, { what: 'more terminals' })
  }
  isOver = true
  await creating
  const listed = await work.list()
  const ids = listed.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(answered.filter((id) => !ids.includes(id))).toEqual([])
  expect(listed.filter(({ state }) => state !== 'running')).toEqual([])
  expect(listed.map(({ order }) => order)).toEqual(listed.map((_, order) => order))
  const sessions = world.tmux('list-sessions', '-F', '#{session_name}').trim().split('\n')
  expect(sessions.filter((name) => name.startsWith('mc-')).sort()).toEqual(
    listed.map(({ tmuxSession }) => tmuxSession).sort()
  )
})

test('a host whose programs would end with it does not hand over', async () => {
  tandem = await start(['--backend', 'pty'])
  const { id } = await work.create()
  const refused = await runTandem(world, ['serve', '--take-over', '--port', '0', '--data-dir', world.dataDir])
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain('1 program that runs without tmux would end with it')
  expect(await work.find(id)).toMatchObject({ state: 'running', backend: 'pty' })
})

test('only the owner can ask for it, and a successor that is killed changes nothing', async () => {
  tandem = await start()
  const { id } = await work.create()
  const add = await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', 'agent'])
  const request = { version: '99.0.0', pid: 4_000_000, isForced: true }
  const asAgent = { authorization: `Bearer ${add.stdout.trim()}` }
  expect((await tandem.api('POST', '/api/hand-over', request, asAgent)).status).toBe(401)
  const older = { ...request, version: '0.0.1', isForced: false }
  expect((await tandem.api('POST', '/api/hand-over', older)).status).toBe(409)
  expect((await tandem.api('POST', '/api/hand-over', request)).status).toBe(200)
  await until(() => tandem.stderr.includes('in charge again'), { what: 'the host' })
  expect(await work.find(id)).toMatchObject({ state: 'running' })
})

async function browserCookie({ ready }: Tandem): Promise<string> {
  const response = await fetch(ready.openUrl, { redirect: 'manual' })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function busyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}
