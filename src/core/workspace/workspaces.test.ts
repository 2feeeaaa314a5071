import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Access } from '../../shared/access'
import { AppError } from '../../shared/errors'
import { DuplicateNameError } from '../backends/duplicateName'
import { TRAVERSALS } from './traversals'
import { FULL_ACCESS, strayRecord, WorkspacesFixture } from './workspacesFixture'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

function key(session = 'default', project = fixture.project) {
  return { project, session }
}

describe('creating', () => {
  test('starts the shell in the project and records it on disk', async () => {
    const host = fixture.host()
    const { record, warnings } = await host.create(FULL_ACCESS, key())
    expect(warnings).toEqual([])
    expect(record).toMatchObject({
      name: 'Terminal 1',
      order: 0,
      state: 'running',
      backend: 'tmux',
      cwd: fixture.project
    })
    expect(record.tmuxSession).toMatch(/^mc-default-[a-z0-9]{4}$/)
    expect(record.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { id, name, tmuxSession, created, order, backend, cwd, program } = record
    expect(fixture.readStore()).toMatchObject({ version: 1, ended: [], lastModified: expect.any(String) })
    expect(fixture.readStore().sessions).toEqual([{ id, name, tmuxSession, created, order, backend, cwd, program }])
    expect(fixture.backend.program().spec).toMatchObject({
      command: ['/bin/sh'],
      cwd: fixture.project,
      size: { rows: 24, cols: 80 }
    })
  })

  test('stamps the program with everything needed to find it again', async () => {
    const { record } = await fixture.host().create(FULL_ACCESS, { ...key('team/review'), name: 'x#(id)' })
    const { id, created, program, cwd } = record
    expect(fixture.backend.program().stamp).toMatchObject({
      id,
      created,
      program,
      cwd,
      name: 'x#(id)',
      order: 0,
      session: 'team/review',
      project: fixture.project
    })
  })

  test('keeps everything private and out of git', async () => {
    await fixture.host().create(FULL_ACCESS, key())
    expect(statSync(fixture.storePath()).mode & 0o777).toBe(0o600)
    expect(statSync(join(fixture.dataDir, 'workspaces.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(fixture.project, '.collab/.gitignore'), 'utf8')).toBe('*\n')
  })

  test('leaves a .gitignore alone in a .collab it did not make', async () => {
    mkdirSync(join(fixture.project, '.collab'))
    await fixture.host().create(FULL_ACCESS, key())
    expect(() => statSync(join(fixture.project, '.collab/.gitignore'))).toThrow()
  })

  test('two names for one project are one workspace', async () => {
    const host = fixture.host()
    symlinkSync(fixture.project, join(fixture.root, 'link'))
    await host.create(FULL_ACCESS, key('default', join(fixture.root, 'link')))
    expect((await host.list(FULL_ACCESS, key())).sessions).toHaveLength(1)
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ project: fixture.project }])
  })

  test.each([
    ['a relative path', 'x'],
    ['a missing directory', '/nonexistent/x'],
    ['a file', '/etc/passwd'],
    ['nothing', '']
  ])('%s as project is refused with its value', async (_, project) => {
    const create = fixture.host().create(FULL_ACCESS, { project, session: 'default' })
    await expect(create).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining(`"${project}"`),
      hint: expect.any(String)
    })
    expect(fixture.backend.programs.size).toBe(0)
  })

  test('no session name leads out of .collab, and nothing is started or written', async () => {
    const host = fixture.host()
    for (const session of TRAVERSALS) {
      await expect(host.create(FULL_ACCESS, key(session))).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
      await expect(host.list(FULL_ACCESS, key(session))).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    }
    expect(fixture.backend.programs.size).toBe(0)
    expect(() => statSync(join(fixture.project, '.collab'))).toThrow()
  })

  test.each(['.collab', '.collab/a', '.collab/a/b'])(
    'a symbolic link at %s is refused and nothing is started',
    async (level) => {
      const outside = fixture.makeProject('outside')
      mkdirSync(join(fixture.project, level, '..'), { recursive: true })
      symlinkSync(outside, join(fixture.project, level))
      const host = fixture.host()
      await expect(host.create(FULL_ACCESS, key('a/b'))).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
      await expect(host.list(FULL_ACCESS, key('a/b'))).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
      expect(fixture.backend.programs.size).toBe(0)
    }
  )

  test('a shell that does not exist is named, and nothing is started', async () => {
    fixture.settings.default_shell = '/nonexistent/zsh'
    const create = fixture.host().create(FULL_ACCESS, key())
    await expect(create).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
      message: expect.stringContaining('/nonexistent/zsh')
    })
    expect(fixture.backend.programs.size).toBe(0)
  })

  test('a command, directory, environment and size may be asked for', async () => {
    const request = {
      command: ['cat', '-u'] as [string, ...string[]],
      cwd: '/',
      env: { COLOUR: 'red' },
      size: { rows: 5, cols: 40 }
    }
    await fixture.host().create(FULL_ACCESS, { ...key(), ...request })
    const spec = fixture.backend.program().spec
    expect(spec).toMatchObject({
      cwd: '/',
      size: { rows: 5, cols: 40 },
      env: { COLOUR: 'red', TERM: 'xterm-256color' }
    })
    expect(spec?.command.slice(1)).toEqual(['-u'])
    expect(spec?.command[0]).toMatch(/^\/.*\/cat$/)
  })

  test('a size or directory that cannot be is refused', async () => {
    const host = fixture.host()
    await expect(host.create(FULL_ACCESS, { ...key(), size: { rows: 0, cols: 80 } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS'
    })
    await expect(host.create(FULL_ACCESS, { ...key(), cwd: '/nonexistent' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS'
    })
  })

  test('the limit of all terminals holds, also for creates at the same time', async () => {
    fixture.settings.max_terminals = 3
    const host = fixture.host()
    const creates = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => host.create(FULL_ACCESS, key(`s${index}`)))
    )
    expect(creates.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const create of creates) {
      if (create.status === 'rejected')
        expect(create.reason).toMatchObject({ code: 'MAX_SESSIONS', message: expect.stringContaining('3') })
    }
    expect(fixture.backend.programs.size).toBe(3)
  })

  test('a random part that was drawn before is drawn again', async () => {
    let drawn = 0
    const host = fixture.host({ pick: () => (drawn++ < 8 ? 0 : 1) })
    const first = await host.create(FULL_ACCESS, key())
    const second = await host.create(FULL_ACCESS, key())
    expect([first.record.tmuxSession, second.record.tmuxSession]).toEqual(['mc-default-aaaa', 'mc-default-bbbb'])
    expect(fixture.backend.programs.size).toBe(2)
  })

  test('a name that the keeper has already is not shared', async () => {
    const create = fixture.backend.create.bind(fixture.backend)
    fixture.backend.create = async (spec, listener) => {
      if (spec.tmuxSession.endsWith('aaaa')) throw new DuplicateNameError(spec.tmuxSession)
      return create(spec, listener)
    }
    let drawn = 0
    const { record } = await fixture.host({ pick: () => (drawn++ < 4 ? 0 : 2) }).create(FULL_ACCESS, key())
    expect(record.tmuxSession).toBe('mc-default-cccc')
  })

  test('a random source that is broken ends in an error, not in a loop', async () => {
    const host = fixture.host({ pick: () => 0 })
    await host.create(FULL_ACCESS, key())
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'PTY_ERROR' })
  })

  test('repeats with the same key share one terminal, also while it is under way', async () => {
    const host = fixture.host()
    const request = { ...key(), idempotency: { caller: 'agent', key: 'k1' } }
    const [first, second] = await Promise.all([host.create(FULL_ACCESS, request), host.create(FULL_ACCESS, request)])
    const third = await host.create(FULL_ACCESS, request)
    expect(new Set([first.record.id, second.record.id, third.record.id]).size).toBe(1)
    await host.create(FULL_ACCESS, { ...request, idempotency: { caller: 'other', key: 'k1' } })
    expect(fixture.backend.programs.size).toBe(2)
  })

  test('a terminal without tmux comes with a warning', async () => {
    const { warnings } = await fixture.host({ backendFor: () => 'pty' }).create(FULL_ACCESS, key())
    expect(warnings).toMatchObject([{ code: 'TMUX_UNAVAILABLE' }])
  })
})

describe('listing', () => {
  test('a workspace nobody made is empty, and nothing is written', async () => {
    const host = fixture.host()
    expect(await host.list(FULL_ACCESS, key())).toEqual({ sessions: [], warnings: [] })
    expect(() => statSync(join(fixture.project, '.collab'))).toThrow()
    expect(await host.summaries(FULL_ACCESS)).toEqual([])
  })

  test('a fresh list is not written again', async () => {
    const host = fixture.host()
    await host.create(FULL_ACCESS, key())
    const before = readFileSync(fixture.storePath())
    await host.list(FULL_ACCESS, key())
    expect(readFileSync(fixture.storePath())).toEqual(before)
  })

  test('a program that ended stays in the list with its code', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.program(record.id).finish(3)
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'exited', exitCode: 3 }])
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ terminals: 1, running: 0, available: true }])
  })

  test('records of a cloned file are shown as lost, and never acted on', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key('mine'))
    const theirs = strayRecord(1, { id: record.id, tmuxSession: record.tmuxSession, command: 'touch /tmp/owned' })
    fixture.writeStore({ sessions: [theirs], lastModified: new Date().toISOString() }, 'cloned')
    expect((await host.list(FULL_ACCESS, key('cloned'))).sessions).toMatchObject([{ state: 'lost', pid: null }])
    expect(await host.kill(FULL_ACCESS, key('cloned'), record.tmuxSession)).toMatchObject({ success: true })
    expect(fixture.backend.program(record.id).killed).toBeUndefined()
    expect((await host.list(FULL_ACCESS, key('mine'))).sessions).toMatchObject([{ state: 'running' }])
  })

  test('a file that renames the tmux session of a record does not mislead', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const store = fixture.readStore()
    fixture.writeStore({
      ...store,
      sessions: store.sessions.map((stored) => ({ ...stored, tmuxSession: 'mc-evil-1' }))
    })
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ tmuxSession: record.tmuxSession }])
  })
})

describe('renaming and reordering', () => {
  async function three(host = fixture.host()) {
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.push((await host.create(FULL_ACCESS, key())).record.id)
    const [a = '', b = '', c = ''] = ids
    return { host, ids: [a, b, c] as const }
  }

  test('a rename is in the file, in the list and in the stamp', async () => {
    const { host, ids } = await three()
    expect(await host.rename(FULL_ACCESS, key(), ids[1], '  new \u0007name ')).toBe(true)
    expect((await host.list(FULL_ACCESS, key())).sessions[1]?.name).toBe('new name')
    expect(fixture.readStore().sessions[1]?.name).toBe('new name')
    expect(fixture.backend.program(ids[1]).stamp.name).toBe('new name')
  })

  test('any handle of the workspace will do, none of another', async () => {
    const { host, ids } = await three()
    const other = await host.create(FULL_ACCESS, key('other'))
    const [session] = (await host.list(FULL_ACCESS, key())).sessions
    for (const handle of [ids[0], ids[0].toUpperCase(), `sess_${ids[0].slice(0, 8)}`, session?.tmuxSession ?? '']) {
      expect(await host.rename(FULL_ACCESS, key(), handle, handle)).toBe(true)
      expect(fixture.readStore().sessions[0]?.name).toBe(handle)
    }
    for (const handle of [other.record.id, other.record.tmuxSession, 'sess_00000000', '', '0', '__proto__']) {
      expect(await host.rename(FULL_ACCESS, key(), handle, 'x')).toBe(false)
      expect(await host.kill(FULL_ACCESS, key(), handle)).toEqual({ success: false, warnings: [] })
    }
    expect(fixture.backend.programs.size).toBe(4)
  })

  test('a new order is in the file, in the list and in the stamps', async () => {
    const { host, ids } = await three()
    await host.reorder(FULL_ACCESS, key(), [ids[2], ids[0], ids[1]])
    const { sessions } = await host.list(FULL_ACCESS, key())
    expect(sessions.map(({ id, order }) => [id, order])).toEqual([
      [ids[2], 0],
      [ids[0], 1],
      [ids[1], 2]
    ])
    expect(fixture.readStore().sessions.map(({ id, order }) => [id, order])).toEqual([
      [ids[2], 0],
      [ids[0], 1],
      [ids[1], 2]
    ])
    expect(ids.map((id) => fixture.backend.program(id).stamp.order)).toEqual([1, 2, 0])
  })

  test('an order that misses, doubles or invents an id is refused by that id', async () => {
    const { host, ids } = await three()
    const before = readFileSync(fixture.storePath())
    const refused = async (orderedIds: string[], named: string) => {
      const reorder = host.reorder(FULL_ACCESS, key(), orderedIds)
      await expect(reorder).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: expect.stringContaining(named)
      })
    }
    await refused([ids[0], ids[1]], ids[2])
    await refused([ids[0], ids[1], ids[2], ids[0]], ids[0])
    await refused([ids[0], ids[1], ids[2], 'nobody'], 'nobody')
    await refused([ids[0], ids[1], `sess_${ids[0].slice(0, 8)}`, ids[2]], `sess_${ids[0].slice(0, 8)}`)
    await refused([], ids[0])
    expect(readFileSync(fixture.storePath())).toEqual(before)
  })

  test('an empty workspace can be put in its only order', async () => {
    await fixture.host().reorder(FULL_ACCESS, key(), [])
  })

  test('200 changes at once are all kept, one after the other', async () => {
    const { host, ids } = await three()
    const changes = Array.from({ length: 200 }, (_, index) => {
      if (index % 20 === 0) return host.create(FULL_ACCESS, { ...key(), name: `new ${index}` })
      return host.rename(FULL_ACCESS, key(), ids[index % 3] ?? '', `name ${index}`)
    })
    await Promise.all(changes)
    const { sessions } = fixture.readStore()
    expect(sessions.map(({ order }) => order)).toEqual(Array.from({ length: 13 }, (_, index) => index))
    expect(sessions.slice(0, 3).map(({ name }) => name)).toEqual(['name 198', 'name 199', 'name 197'])
    expect(ids.map((id) => fixture.backend.program(id).stamp.name)).toEqual(['name 198', 'name 199', 'name 197'])
  })

  test('fields of others survive every change', async () => {
    const { host, ids } = await three()
    const store = fixture.readStore()
    fixture.writeStore({
      ...store,
      theme: 'dark',
      sessions: store.sessions.map((record) => ({ ...record, pinned: record.order }))
    })
    await host.rename(FULL_ACCESS, key(), ids[0], 'x')
    await host.reorder(FULL_ACCESS, key(), [ids[2], ids[1], ids[0]])
    await host.kill(FULL_ACCESS, key(), ids[1])
    expect(fixture.readStore()).toMatchObject({
      theme: 'dark',
      sessions: [{ pinned: 2 }, { pinned: 0 }],
      ended: [{ pinned: 1 }]
    })
  })
})

describe('killing', () => {
  test('ends the program, closes the gap and remembers the end', async () => {
    const host = fixture.host()
    const records = []
    for (let index = 0; index < 3; index += 1) records.push((await host.create(FULL_ACCESS, key())).record)
    const program = fixture.backend.program(records[0]?.id)
    expect(await host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).toEqual({ success: true, warnings: [] })
    expect(program.killed).toEqual({ force: false })
    const store = fixture.readStore()
    expect(store.sessions.map(({ id, order }) => [id, order])).toEqual([
      [records[1]?.id, 0],
      [records[2]?.id, 1]
    ])
    expect(store.ended).toMatchObject([{ id: records[0]?.id, endedAt: expect.any(String) }])
    expect(fixture.backend.program(records[2]?.id).stamp.order).toBe(1)
    expect(await host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).toEqual({ success: false, warnings: [] })
    expect(await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'x')).toBe(false)
  })

  test('one whose session is gone already succeeds', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.program(record.id).setPresence('lost')
    fixture.backend.programs.delete(record.id)
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'lost' }])
    expect(await host.kill(FULL_ACCESS, key(), record.id)).toEqual({ success: true, warnings: [] })
    expect(fixture.readStore().sessions).toEqual([])
  })

  test('twice at once is one kill, and both succeed', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const kills = await Promise.all([
      host.kill(FULL_ACCESS, key(), record.id),
      host.kill(FULL_ACCESS, key(), record.id)
    ])
    expect(kills).toEqual([
      { success: true, warnings: [] },
      { success: true, warnings: [] }
    ])
  })

  test('one that does not answer stays in the list', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.fail('kill', new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer'))
    await expect(host.kill(FULL_ACCESS, key(), record.id)).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
    expect((await host.list(FULL_ACCESS, key())).sessions).toHaveLength(1)
    expect(fixture.readStore().sessions).toHaveLength(1)
  })
})

describe('who may see what', () => {
  const limited = (...projects: string[]): Access => ({ ...FULL_ACCESS, name: 'agent', projects })

  test('a project the token does not name is answered like one that is not there', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const other = fixture.makeProject('other')
    const access = limited(other)
    const refusals = await Promise.all([
      host.list(access, key()).catch(String),
      host.create(access, key()).catch(String),
      host.kill(access, key(), record.id).catch(String),
      host.rename(access, key(), record.id, 'x').catch(String),
      host.reorder(access, key(), [record.id]).catch(String),
      host.remove(access, key()).catch(String)
    ])
    const missing = await host.list(access, key('default', '/nonexistent')).catch(String)
    for (const refusal of refusals) expect(refusal).toBe(String(missing).replace('/nonexistent', fixture.project))
    expect(await host.summaries(access)).toEqual([])
    const unknown = () => host.terminal(access, 'mc-nobody-0000')
    expect(unknown).toThrow('Session not found: "mc-nobody-0000"')
    expect(() => host.terminal(access, record.tmuxSession)).toThrow(`Session not found: "${record.tmuxSession}"`)
    expect(() => host.terminal(access, record.id)).toThrow(`Session not found: "${record.id}"`)
    expect(host.terminal(FULL_ACCESS, record.id).id).toBe(record.id)
  })

  test('tokens are compared by real paths', async () => {
    const host = fixture.host()
    const link = join(fixture.root, 'link')
    symlinkSync(fixture.project, link)
    const access = limited(link)
    const { record } = await host.create(access, key())
    expect((await host.list(access, key('default', link))).sessions).toHaveLength(1)
    expect(await host.summaries(access)).toHaveLength(1)
    expect(host.terminal(access, record.tmuxSession).id).toBe(record.id)
    const fresh = fixture.host()
    await fresh.start()
    await fresh.learn(access)
    expect(fresh.terminal(access, `sess_${record.id.slice(0, 8)}`).id).toBe(record.id)
  })

  test('a link that now leads elsewhere takes the sight with it', async () => {
    const host = fixture.host()
    const link = join(fixture.root, 'link')
    const other = fixture.makeProject('other')
    symlinkSync(fixture.project, link)
    await host.create(limited(link), key())
    rmSync(link)
    symlinkSync(other, link)
    await expect(host.list(limited(link), key())).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })
})

describe('removing a workspace', () => {
  test('answers before its terminals are gone, and keeps the directory', async () => {
    const host = fixture.host()
    await host.create(FULL_ACCESS, key())
    await host.create(FULL_ACCESS, key())
    writeFileSync(join(fixture.project, '.collab/default/notes.md'), 'kept')
    let release: () => void = () => undefined
    fixture.backend.delay(
      'kill',
      new Promise((resolve) => {
        release = resolve
      })
    )
    expect(await host.remove(FULL_ACCESS, key())).toEqual({ success: true, killed: 2 })
    expect(fixture.backend.programs.size).toBe(2)
    expect((await host.list(FULL_ACCESS, key())).sessions).toEqual([])
    expect(await host.summaries(FULL_ACCESS)).toEqual([])
    expect(fixture.readStore()).toMatchObject({ sessions: [], ended: [{}, {}] })
    release()
    await host.stop()
    expect(fixture.backend.programs.size).toBe(0)
    expect(readFileSync(join(fixture.project, '.collab/default/notes.md'), 'utf8')).toBe('kept')
  })

  test('one that nobody made is not there to remove', async () => {
    expect(await fixture.host().remove(FULL_ACCESS, key())).toEqual({ success: false, killed: 0 })
  })

  test('a reconcile in between does not bring dying terminals back', async () => {
    const host = fixture.host()
    await host.create(FULL_ACCESS, key())
    let release: () => void = () => undefined
    fixture.backend.delay(
      'kill',
      new Promise((resolve) => {
        release = resolve
      })
    )
    await host.remove(FULL_ACCESS, key())
    rmSync(fixture.storePath())
    expect((await host.list(FULL_ACCESS, key())).sessions).toEqual([])
    release()
  })
})

describe('changes', () => {
  test('are announced by workspace', async () => {
    const host = fixture.host()
    const heard: string[] = []
    const stop = host.onChange(({ session }) => heard.push(session))
    const { record } = await host.create(FULL_ACCESS, key('a'))
    expect(heard.splice(0)).toContain('a')
    fixture.backend.program(record.id).finish(0)
    expect(heard.splice(0)).toEqual(['a'])
    await host.rename(FULL_ACCESS, key('a'), record.id, 'x')
    await host.kill(FULL_ACCESS, key('a'), record.id)
    expect(new Set(heard.splice(0))).toEqual(new Set(['a']))
    stop()
    await host.create(FULL_ACCESS, key('b'))
    expect(heard).toEqual([])
  })
})

describe('a project that cannot be reached', () => {
  test('shows its terminals as unavailable, harms no other, and comes back', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const other = fixture.makeProject('other')
    await host.create(FULL_ACCESS, key('default', other))
    renameSync(fixture.project, `${fixture.project}-away`)
    const { sessions, warnings } = await host.list(FULL_ACCESS, key())
    expect(sessions).toMatchObject([{ id: record.id, state: 'unavailable' }])
    expect(warnings).toHaveLength(1)
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([
      { terminals: 1, available: false },
      { terminals: 1, running: 1, available: true }
    ])
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    await expect(host.rename(FULL_ACCESS, key(), record.id, 'x')).rejects.toThrow()
    expect(fixture.backend.program(record.id).killed).toBeUndefined()
    renameSync(`${fixture.project}-away`, fixture.project)
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'running' }])
  })

  test('is adopted at start all the same, and its terminals can be killed', async () => {
    const { record } = await fixture.host().create(FULL_ACCESS, key())
    renameSync(fixture.project, `${fixture.project}-away`)
    fixture.backend.crash()
    const host = fixture.host({ unsavedRetryMs: 20 })
    await host.start()
    expect(host.terminal(FULL_ACCESS, record.id).state).toBe('running')
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ name: 'Terminal 1', state: 'unavailable' }])
    expect(await host.kill(FULL_ACCESS, key(), record.id)).toMatchObject({
      success: true,
      warnings: [{ code: 'STORE_WRITE_FAILED' }]
    })
    expect(fixture.backend.programs.size).toBe(0)
    renameSync(`${fixture.project}-away`, fixture.project)
    await expect.poll(() => fixture.readStore().sessions, { timeout: 10_000 }).toEqual([])
  })
})
