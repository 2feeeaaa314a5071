import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Access } from '../../shared/access'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

function key(session = 'default', project = fixture.project) {
  return { project, session }
}

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
