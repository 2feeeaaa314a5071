import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = () => ({ project: fixture.project, session: 'default' })

async function withTerminals(count: number) {
  const host = fixture.host()
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push((await host.create(FULL_ACCESS, key())).record.id)
  const [first = '', second = ''] = ids
  return { host, first, second }
}

async function listed(host: ReturnType<WorkspacesFixture['host']>): Promise<string[]> {
  return (await host.list(FULL_ACCESS, key())).sessions.map(({ id }) => id)
}

describe('a lost terminal', () => {
  test.each(['TMUX_UNRESPONSIVE', 'TMUX_UNAVAILABLE', 'SESSION_ERROR'] as const)(
    'is closed though tmux answers %s, and only it',
    async (code) => {
      const { host, first, second } = await withTerminals(2)
      fixture.backend.program(first).setPresence('lost')
      fixture.backend.fail('kill', new AppError(code, 'tmux was asked'))
      expect(await host.kill(FULL_ACCESS, key(), first)).toEqual({ success: true, warnings: [] })
      await expect(host.kill(FULL_ACCESS, key(), second)).rejects.toMatchObject({ code })
      expect(await listed(host)).toEqual([second])
    }
  )

  test('stays while its processes could not be looked at', async () => {
    const { host, first } = await withTerminals(1)
    fixture.backend.program(first).setPresence('lost')
    fixture.backend.fail('kill', new AppError('IO_ERROR', 'EMFILE: too many open files'))
    await expect(host.kill(FULL_ACCESS, key(), first)).rejects.toMatchObject({ code: 'IO_ERROR' })
    expect(await listed(host)).toEqual([first])
    fixture.backend.fail('kill', undefined)
    expect(await host.kill(FULL_ACCESS, key(), first)).toEqual({ success: true, warnings: [] })
    expect(await listed(host)).toEqual([])
  })
})
