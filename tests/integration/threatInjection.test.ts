import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import * as doors from '../harness/threats/doors'
import { hostileFileNames, hostileTexts } from '../harness/threats/metacharacters'
import { until } from '../harness/waiting'
import { type Listed, WorkspaceClient } from '../harness/workspace'

// Text that would be a command if anybody took it for one, in every string of every door.

const RECORDER = fileURLToPath(new URL('../harness/threats/recorder.mjs', import.meta.url))

let world: World
let tandem: Tandem
let texts: fc.Arbitrary<string>
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  texts = hostileTexts(join(world.root, 'canary'))
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

const canaries = () =>
  [world.root, world.home, world.project, '/'].flatMap((path) =>
    readdirSync(path).filter((name) => name.startsWith('canary'))
  )
const runs = (small: number) => ({ numRuns: count({ small, full: 10_000 }), endOnFailure: true })

test('a display name runs nothing and comes back as it was, without its control characters', {
  timeout: LIMIT_MS
}, async () => {
  const { id } = await work.create()
  await fc.assert(
    fc.asyncProperty(texts, async (name) => {
      expect(await work.rename(id, name)).toBe(true)
      const kept = (await work.find(id))?.name
      expect(kept).toBe(shown(name))
    }),
    runs(60)
  )
  const listed = world.tmux('list-panes', '-a', '-F', '#{session_name}').trim().split('\n')
  expect(listed).toHaveLength(2)
  await work.kill(id)
  expect(canaries()).toEqual([])
})

// Names travel as JSON, where a lone half of a pair becomes the sign for "unreadable".
function shown(name: string): string {
  return (
    name
      .replace(/\p{Cc}/gu, '')
      .replace(/\p{Cs}/gu, '\ufffd')
      .trim()
      .slice(0, 256)
      .trim() || 'Terminal'
  )
}

test('every other string of the API and the tools is refused or taken as a name, and runs nothing', {
  timeout: LIMIT_MS
}, async () => {
  const { id } = await work.create('kept')
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect((await overHttp(text)).filter((status) => ![200, 400, 404].includes(status))).toEqual([])
      await overMcp(client, text)
    }),
    runs(25)
  )
  await client.close()
  expect((await work.find(id))?.state).toBe('running')
  expect(canaries()).toEqual([])
})

// Below a directory that is not there, and without a way up: nothing may be made outside this world.
function nowhere(text: string): string {
  return join(world.root, 'nowhere', text.replaceAll('.', ''))
}

async function overHttp(text: string): Promise<number[]> {
  const word = Buffer.from(text).toString()
  const query = (fields: Record<string, string>) => new URLSearchParams(fields)
  const place = { project: world.project, session: 'work' }
  const calls: [string, string, unknown?, Record<string, string>?][] = [
    ['GET', `/api/terminal/sessions?${query({ ...place, session: word })}`],
    ['GET', `/api/terminal/sessions?${query({ ...place, project: word })}`],
    ['GET', `/api/terminal/sessions?${query({ ...place, project: `${world.project}/${word}` })}`],
    ['POST', '/api/terminal/sessions', { project: nowhere(word), session: 'work' }],
    ['DELETE', `/api/terminal/sessions/${encodeURIComponent(word)}?${query(place)}`],
    ['PATCH', `/api/terminal/sessions/${encodeURIComponent(word)}?${query(place)}`, { name: word }],
    ['PUT', `/api/terminal/sessions/reorder?${query(place)}`, { orderedIds: [word] }],
    ['DELETE', `/api/workspaces?${query({ ...place, session: word })}`],
    ['GET', `/ws?arg=${encodeURIComponent(word)}`]
  ]
  const statuses = calls.map(async ([method, path, body]) => (await tandem.api(method, path, body)).status)
  return Promise.all(statuses)
}

async function overMcp(client: McpClient, text: string): Promise<void> {
  const place = { project: world.project, session: 'work' }
  const answers = await Promise.all([
    client.call('terminal_kill_session', { ...place, id: text }),
    client.call('terminal_rename_session', { ...place, id: text, name: text }),
    client.call('terminal_reorder_sessions', { ...place, orderedIds: [text] }),
    client.call('terminal_list_sessions', { ...place, session: text }),
    client.call('terminal_create_session', { ...place, project: nowhere(text) })
  ])
  for (const answer of answers)
    expect(answer.content[0]?.text).toMatch(/^(INVALID_ARGUMENTS|OUTSIDE_PROJECT|Nothing|No )/)
}

test('the window’s channel takes them as names too', { timeout: LIMIT_MS }, async () => {
  const [[, cookie]] = (await doors.letInBrowser(tandem, await doors.freshOpenUrl(tandem))) as [[string, string]]
  const socket = new WebSocket(`${tandem.ready.url.replace('http', 'ws')}/ui`, {
    headers: { cookie, origin: tandem.ready.url }
  })
  await new Promise((resolve) => socket.once('open', resolve))
  const answered = new Set<number>()
  socket.on('message', (data) => answered.add((JSON.parse(data.toString()) as { id: number }).id))
  const samples = fc.sample(texts, count({ small: 30, full: 10_000 }))
  for (const [index, text] of samples.entries()) {
    const workspace = { project: world.project, session: text }
    socket.send(JSON.stringify({ id: 3 * index, call: 'listTerminals', args: [workspace] }))
    socket.send(
      JSON.stringify({ id: 3 * index + 1, call: 'killTerminal', args: [{ ...workspace, session: 'x' }, text] })
    )
    socket.send(JSON.stringify({ id: 3 * index + 2, call: text, args: [text] }))
    // A window waits for its answers too.
    if (index % 100 === 99) await until(() => answered.size === 3 * (index + 1), { what: 'the answers so far' })
  }
  await until(() => answered.size === samples.length * 3, { what: 'all answers' })
  socket.terminate()
  expect(canaries()).toEqual([])
})

test('what is typed arrives byte for byte, however it is cut, and runs nothing', { timeout: LIMIT_MS }, async () => {
  const out = join(world.root, 'typed.bin')
  const { id, tmuxSession } = await work.create('recorder')
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type(`exec ${process.execPath} ${RECORDER} ${out}\r`)
  await tab.sees('recording-now')
  // What an emulator would answer by itself never gets in from a viewer, so no whole reply is typed here.
  const typed = fc
    .sample(texts, count({ small: 300, full: 10_000 }))
    .map((text) => Buffer.from(text.replaceAll('\x1b', '\x1bO')))
  for (const bytes of typed) tab.type(bytes)
  tab.type('THE-END')
  await tab.closed()
  expect(readFileSync(out).equals(Buffer.concat([...typed, Buffer.from('THE-END')]))).toBe(true)
  await work.kill(id)
  expect(canaries()).toEqual([])
})

/** Folders of one path, each with a name of its own: what starts in the last was led through all of them. */
const FOLDERS = 5

test('a project directory of any name is the place a shell starts in, and runs nothing', {
  timeout: LIMIT_MS
}, async () => {
  const names = fc.sample(hostileFileNames('canary'), count({ small: 60, full: 10_000 }))
  for (let index = 0; index < names.length; index += FOLDERS) {
    const name = join(...names.slice(index, index + FOLDERS))
    const project = join(world.root, `${index}`, name)
    mkdirSync(project, { recursive: true })
    const created = await tandem.api('POST', '/api/terminal/sessions', { project, session: 'x' })
    expect(created.status, JSON.stringify([name, created.body])).toBe(200)
    const query = new URLSearchParams({ project, session: 'x' })
    const [listed] = (await tandem.api('GET', `/api/terminal/sessions?${query}`)).body.sessions as unknown as Listed[]
    // Between its fork and its start a program is still where tmux is.
    await until(() => readlinkSync(`/proc/${listed?.pid}/cwd`) !== '/', {
      what: `the shell to start in ${JSON.stringify(name)}`
    })
    await until(() => readFileSync(`/proc/${listed?.pid}/cmdline`, 'utf8').startsWith('/bin/bash'), { what: 'bash' })
    expect(readlinkSync(`/proc/${listed?.pid}/cwd`)).toBe(project)
    const environment = readFileSync(`/proc/${listed?.pid}/environ`, 'utf8').split('\0')
    expect(environment.filter((entry) => entry.startsWith('PWD='))).toEqual([`PWD=${project}`])
    await tandem.api('DELETE', `/api/workspaces?${query}`)
    expect(readdirSync(project)).toEqual(['.collab'])
  }
  expect(canaries()).toEqual([])
})
