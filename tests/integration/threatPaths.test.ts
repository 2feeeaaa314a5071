import { execFileSync, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRAVERSALS } from '../../src/core/workspace/traversals.testing'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { WorkspaceClient } from '../harness/workspace'

// Names and links that lead out of the project: nothing outside is ever read into an answer, written or removed.

const SWAPPER = fileURLToPath(new URL('../harness/threats/swapper.mjs', import.meta.url))
const STORE = 'terminal-sessions.json'

let world: World
let tandem: Tandem
let outside: string

beforeAll(async () => {
  world = makeWorld()
  outside = join(world.root, 'outside')
  mkdirSync(join(outside, 'work'), { recursive: true })
  for (const folder of [outside, join(outside, 'work')]) {
    for (const name of [STORE, `${STORE}.bak`, '.gitignore', 'canary'])
      writeFileSync(join(folder, name), 'do not touch')
  }
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

/** Every file outside: its inode, its times but the last look at it, and what is in it. */
function outsideState(): string[] {
  return readdirSync(outside, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, mtimeMs, ctimeMs, mode, size, nlink } = lstatSync(join(outside, name))
      const content = size === 'do not touch'.length ? readFileSync(join(outside, name), 'utf8') : ''
      return [name, ino, mtimeMs, ctimeMs, mode, nlink, content].join(' ')
    })
}

const tree = () => execFileSync('find', [world.root, '-newer', join(world.root, 'mark')], { encoding: 'utf8' })

test('no session name leads anywhere, through any door', { timeout: LIMIT_MS }, async () => {
  const before = outsideState()
  expect(TRAVERSALS.length).toBeGreaterThanOrEqual(60)
  writeFileSync(join(world.root, 'mark'), '')
  const client = await connectMcp('2025', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  const { project } = world
  for (const session of TRAVERSALS) {
    const query = new URLSearchParams({ project, session: Buffer.from(session).toString() })
    const statuses = [
      await tandem.api('POST', '/api/terminal/sessions', { project, session }),
      await tandem.api('GET', `/api/terminal/sessions?${query}`),
      await tandem.api('DELETE', `/api/workspaces?${query}`)
    ].map(({ status }) => status)
    expect(statuses, JSON.stringify(session)).toEqual([400, 400, 400])
    for (const tool of ['terminal_create_session', 'terminal_list_sessions']) {
      expect((await client.call(tool, { project, session })).isError, JSON.stringify(session)).toBe(true)
    }
  }
  await client.close()
  expect(
    tree()
      .split('\n')
      .filter((path) => path.startsWith(join(world.root, 'project')))
  ).toEqual([])
  expect(outsideState()).toEqual(before)
})

test('a link at any level is refused, and what it points to is neither read nor changed', async () => {
  const before = outsideState()
  const link = (name: string, path: string[], target = outside) => {
    const project = join(world.root, name)
    mkdirSync(join(project, ...path.slice(0, -1)), { recursive: true })
    symlinkSync(target, join(project, ...path))
    return project
  }
  const refused = [
    link('link1', ['.collab']),
    link('link2', ['.collab', 'work']),
    link('link3', ['.collab'], '../outside'),
    link('link4', ['.collab'], '/proc/self/cwd')
  ]
  for (const project of refused) {
    const request = { project, session: 'work' }
    const created = await tandem.api('POST', '/api/terminal/sessions', request)
    expect([created.status, created.body.error], project).toMatchObject([400, { code: 'OUTSIDE_PROJECT' }])
    const listed = await tandem.api('GET', `/api/terminal/sessions?${new URLSearchParams(request)}`)
    expect(JSON.stringify(listed)).not.toContain('do not touch')
  }
  for (const name of [STORE, `${STORE}.bak`, '.gitignore']) {
    const project = link(`file${name}`, ['.collab', 'work', name], join(outside, 'canary'))
    await tandem.api('POST', '/api/terminal/sessions', { project, session: 'work' })
    const listed = await tandem.api(
      'GET',
      `/api/terminal/sessions?${new URLSearchParams({ project, session: 'work' })}`
    )
    expect(JSON.stringify(listed)).not.toContain('do not touch')
  }
  expect(outsideState()).toEqual(before)
})

test('a link where scripts are kept is refused, and nothing is run or written behind it', async () => {
  const before = outsideState()
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  const { project } = world
  const opened = await client.call('open_new_terminal', { project, session_id: 'scripted' })
  const { terminal_id } = opened.structuredContent as { terminal_id: string }
  symlinkSync(outside, join(project, '.collab', 'scripted', 'scripts'))
  for (const tool of ['execute_python', 'execute_typescript']) {
    const answer = await client.call(tool, { terminal_id, code: 'print(6 * 7)' })
    expect([tool, answer.isError, answer.content[0]?.text]).toEqual([
      tool,
      true,
      expect.stringMatching(/^OUTSIDE_PROJECT/)
    ])
  }
  await client.call('close_terminal', { terminal_id })
  await client.close()
  expect(outsideState()).toEqual(before)
})

test.each([
  ['the folder of all sessions', ['.collab'], ''],
  ['the folder of the session', ['.collab', 'work'], 'work'],
  ['the store', ['.collab', 'work', STORE], 'canary'],
  ['the store’s last generation', ['.collab', 'work', `${STORE}.bak`], 'canary']
])('%s may be swapped for a link at any moment of a write', { timeout: LIMIT_MS }, async (_, path, target) => {
  const work = new WorkspaceClient(() => tandem)
  const { id } = await work.create('swapped')
  await work.rename(id, 'swapped again')
  const before = outsideState()
  const rounds = count({ small: 120, full: 1000 })
  const swapper = spawn(process.execPath, [
    SWAPPER,
    join(world.project, ...path),
    join(outside, target),
    String(rounds)
  ])
  let isSwapping = true
  const swapped = new Promise<number | null>((resolve) => swapper.once('exit', resolve)).finally(() => {
    isSwapping = false
  })
  let attempts = 0
  while (isSwapping) {
    await work.rename(id, `name ${attempts++}`).catch(() => false)
    if (attempts % 5 === 0) await work.list().catch(() => [])
  }
  expect(await swapped).toBe(0)
  expect(attempts).toBeGreaterThan(5)
  expect(outsideState()).toEqual(before)
  expect((await tandem.api('GET', '/healthz')).status).toBe(200)
  expect(await work.kill(id)).toBe(true)
})
