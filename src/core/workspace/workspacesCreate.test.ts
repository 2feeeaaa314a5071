import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { DuplicateNameError } from '../backends/duplicateName'
import { TRAVERSALS } from './traversals.testing'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

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
    const seal = expect.any(String)
    expect(fixture.readStore().sessions).toEqual([
      { id, name, tmuxSession, created, order, backend, cwd, program, seal }
    ])
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

  test.each<[string, () => unknown]>([
    ['a first create was killed before it wrote one', () => mkdirSync(collab())],
    ['a first create failed while it wrote one', () => write('.gitignore', '')],
    ['somebody else made the directory', () => write('notes.md', 'x')],
    ['a writer of one was killed', () => write('..gitignore.0123456789ab.tmp', '')],
    ['both happened', () => [mkdirSync(collab()), add('..gitignore.0123456789ab.tmp', '*'), add('.gitignore', '')]]
  ])('is kept out of git too where %s', async (_, prepare) => {
    prepare()
    await fixture.host().create(FULL_ACCESS, key())
    expect(readFileSync(join(collab(), '.gitignore'), 'utf8')).toBe('*\n')
  })

  test('leaves a .gitignore alone that somebody else wrote, also an empty one', async () => {
    write('.gitignore', 'scripts\n')
    await fixture.host().create(FULL_ACCESS, key())
    expect(readFileSync(join(collab(), '.gitignore'), 'utf8')).toBe('scripts\n')
    writeFileSync(join(collab(), '.gitignore'), '')
    await fixture.host().create(FULL_ACCESS, key('another'))
    expect(readFileSync(join(collab(), '.gitignore'), 'utf8')).toBe('')
  })

  const collab = () => join(fixture.project, '.collab')
  function write(name: string, text: string): void {
    mkdirSync(collab())
    add(name, text)
  }
  const add = (name: string, text: string) => writeFileSync(join(collab(), name), text)

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

  test('every program is told in which terminal it runs, whatever the caller says', async () => {
    const env = { TANDEM_TERMINAL_ID: 'another' }
    const { record } = await fixture.host().create(FULL_ACCESS, { ...key(), env })
    expect(fixture.backend.program(record.id).spec?.env).toMatchObject({ TANDEM_TERMINAL_ID: record.id })
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

  test('a program that cannot be started leaves the store as it was, and nothing beside it', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const folder = join(fixture.project, '.collab/default')
    const before = { files: readdirSync(folder), text: readFileSync(join(folder, 'terminal-sessions.json'), 'utf8') }
    const create = fixture.backend.create
    fixture.backend.create = async () => {
      await expect.poll(() => readdirSync(folder).some((name) => name.endsWith('.tmp'))).toBe(true)
      throw new AppError('PTY_ERROR', 'tmux did not start it')
    }
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'PTY_ERROR' })
    const after = { files: readdirSync(folder), text: readFileSync(join(folder, 'terminal-sessions.json'), 'utf8') }
    expect(after).toEqual(before)
    fixture.backend.create = create
    const { record: next } = await host.create(FULL_ACCESS, key())
    expect(fixture.readStore().sessions.map(({ id }: { id: string }) => id)).toEqual([record.id, next.id])
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
    expect(fixture.readStore().sessions).toMatchObject([{ id: record.id, tmuxSession: record.tmuxSession }])
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
