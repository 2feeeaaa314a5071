import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TmuxBackend } from '../../src/core/backends/tmux/tmuxBackend'
import { type Logger, silentLog } from '../../src/core/log'
import { Terminals } from '../../src/core/terminal/terminals'
import { Workspaces } from '../../src/core/workspace/workspaces'
import { defaultSettings, FULL_ACCESS } from '../../src/core/workspace/workspacesFixture.testing'

const ACTOR = { kind: 'person', name: 'test' } as const
const WAIT = { timeout: 20_000 }
let number = 0
let root: string
let socket: string
let owner: string
let closers: (() => Promise<void>)[]

beforeEach(() => {
  number += 1
  socket = `tandem-test-${process.pid}-workspaces${number}`
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-workspaces-')))
  owner = randomUUID()
  closers = []
})

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  try {
    execFileSync('tmux', ['-L', socket, 'kill-server'], { stdio: 'ignore' })
  } catch {
    // The test ended the server itself.
  }
  rmSync(join('/tmp', `tmux-${process.getuid?.()}`, socket), { force: true })
  rmSync(root, { recursive: true, force: true })
})

async function host(log: Logger = silentLog) {
  const settings = () => ({ ...defaultSettings(), default_shell: '/bin/sh' })
  const runtimeDir = { path: mkdtempSync('/tmp/tandem-') }
  const environment = { PATH: process.env.PATH, HOME: root }
  const backend = new TmuxBackend({ socket, owner, runtimeDir, settings, log, environment })
  await backend.start()
  const terminals = new Terminals({ backend, settings, log })
  const workspaces = new Workspaces({ terminals, dataDir: root, owner, settings, environment, log })
  const stop = async () => {
    await workspaces.stop()
    await terminals.stop()
    await backend.stop()
    rmSync(runtimeDir.path, { recursive: true, force: true })
  }
  const close = once(stop)
  closers.push(close)
  return { workspaces, summary: await workspaces.start(), close }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

function tmux(...words: string[]): string {
  return execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8' })
}

function project(name = 'project'): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

describe('workspaces in a real tmux', () => {
  test('a host that is replaced finds terminals, names, order and what they printed', async () => {
    const first = await host()
    const key = { project: project(), session: 'default' }
    const ids: string[] = []
    for (const name of ['a', 'b', 'c'])
      ids.push((await first.workspaces.create(FULL_ACCESS, { ...key, name })).record.id)
    const [a = '', b = '', c = ''] = ids
    await first.workspaces.terminal(FULL_ACCESS, b).write(Buffer.from('echo from-before\r'), ACTOR)
    await expect
      .poll(() => tmux('capture-pane', '-p', '-t', `=${first.workspaces.terminal(FULL_ACCESS, b).tmuxSession}:`), WAIT)
      .toContain('\nfrom-before')
    await first.workspaces.rename(FULL_ACCESS, key, a, 'renamed')
    await first.workspaces.reorder(FULL_ACCESS, key, [c, a, b])
    await first.close()
    rmSync(join(key.project, '.collab'), { recursive: true })
    rmSync(join(root, 'workspaces.json'))
    const second = await host()
    expect(second.summary).toEqual({ removed: 0, killed: 0, adopted: 3 })
    const { sessions } = await second.workspaces.list(FULL_ACCESS, key)
    expect(sessions.map(({ id, name, state }) => [id, name, state])).toEqual([
      [c, 'c', 'running'],
      [a, 'renamed', 'running'],
      [b, 'b', 'running']
    ])
    await expect.poll(() => second.workspaces.terminal(FULL_ACCESS, b).screen.text(), WAIT).toContain('from-before')
  })

  test('directories and names that mean something to tmux or a shell leave no trace and arrive unchanged', async () => {
    const canary = join(root, 'canary')
    const { workspaces } = await host()
    const directories = [
      `x#(touch ${canary.replaceAll('/', '_')})`,
      '100%done',
      'a;b',
      'sp ace',
      '$(touch canary)',
      'q\'uo"te',
      '-flag',
      '#{pane_id}',
      'é🚲'
    ]
    for (const directory of directories) {
      const key = { project: project(directory), session: 'default' }
      const name = `n#(touch ${canary}) ; kill-server #{pid} %H "'$(touch ${canary})`
      const { record } = await workspaces.create(FULL_ACCESS, { ...key, name })
      const { sessions } = await workspaces.list(FULL_ACCESS, key)
      expect(sessions).toMatchObject([{ id: record.id, name, cwd: key.project, state: 'running' }])
      await expect.poll(() => workspaces.terminal(FULL_ACCESS, record.id).currentDirectory(), WAIT).toBe(key.project)
    }
    expect(existsSync(canary)).toBe(false)
    expect(existsSync(join(root, '$(touch canary)', 'canary'))).toBe(false)
  })

  test('a program that exits keeps its place with its code; a kill leaves nothing of it', async () => {
    const { workspaces } = await host()
    const key = { project: project(), session: 'default' }
    const { record } = await workspaces.create(FULL_ACCESS, key)
    await workspaces.terminal(FULL_ACCESS, record.id).write(Buffer.from('exit 3\r'), ACTOR)
    await expect
      .poll(async () => (await workspaces.list(FULL_ACCESS, key)).sessions, WAIT)
      .toMatchObject([{ state: 'exited', exitCode: 3 }])
    expect(await workspaces.kill(FULL_ACCESS, key, record.tmuxSession)).toEqual({ success: true, warnings: [] })
    expect(tmux('list-sessions', '-F', '#{session_name}')).not.toContain(record.tmuxSession)
    expect((await workspaces.list(FULL_ACCESS, key)).sessions).toEqual([])
  })

  test('a tmux server that is killed leaves its terminals lost, then ended; new ones work', async () => {
    const first = await host()
    const key = { project: project(), session: 'default' }
    await first.workspaces.create(FULL_ACCESS, key)
    await first.workspaces.create(FULL_ACCESS, key)
    process.kill(Number(tmux('display-message', '-p', '#{pid}')), 'SIGKILL')
    const states = async () => (await first.workspaces.list(FULL_ACCESS, key)).sessions.map(({ state }) => state)
    await expect.poll(states, WAIT).toEqual(['lost', 'lost'])
    const store = JSON.parse(readFileSync(join(key.project, '.collab/default/terminal-sessions.json'), 'utf8'))
    expect(store.sessions).toHaveLength(2)
    const { record } = await first.workspaces.create(FULL_ACCESS, key)
    expect(record).toMatchObject({ state: 'running', name: 'Terminal 3', order: 2 })
    await first.close()
    const second = await host()
    expect(second.summary).toEqual({ removed: 2, killed: 0, adopted: 0 })
    expect((await second.workspaces.list(FULL_ACCESS, key)).sessions).toMatchObject([
      { id: record.id, order: 0, state: 'running' }
    ])
  })

  test('sessions of others on the same server are never listed, adopted or ended', async () => {
    const first = await host()
    const key = { project: project(), session: 'default' }
    const { record } = await first.workspaces.create(FULL_ACCESS, key)
    tmux('new-session', '-d', '-s', `${record.tmuxSession}4`, 'sleep 1000')
    tmux('new-session', '-d', '-s', 'mc-default-zzzz', 'sleep 1000')
    const store = join(key.project, '.collab/other/terminal-sessions.json')
    mkdirSync(dirname(store), { recursive: true })
    const stray = { id: randomUUID(), name: 'x', tmuxSession: 'mc-default-zzzz', created: '', order: 0 }
    writeFileSync(store, JSON.stringify({ sessions: [stray], lastModified: new Date().toISOString() }))
    expect(await first.workspaces.kill(FULL_ACCESS, { ...key, session: 'other' }, 'mc-default-zzzz')).toMatchObject({
      success: true
    })
    await first.workspaces.kill(FULL_ACCESS, key, record.id)
    expect((await first.workspaces.list(FULL_ACCESS, key)).sessions).toEqual([])
    const names = tmux('list-sessions', '-F', '#{session_name}').split('\n')
    expect(names).toEqual(expect.arrayContaining([`${record.tmuxSession}4`, 'mc-default-zzzz']))
    expect(names).not.toContain(record.tmuxSession)
  })
})
