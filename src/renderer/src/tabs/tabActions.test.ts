import { beforeEach, describe, expect, test } from 'vitest'
import type { AppError, Result } from '../../../shared/errors'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalSession } from '../../../shared/terminal'
import { useTerminals, workspaceTabs } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { TabActions } from './tabActions'

const workspace = { project: '/p', session: 's' }

const AWAY: Result<never> = { ok: false, error: { code: 'IO_ERROR', message: 'away' } }

const notAsked = async (): Promise<never> => {
  throw new Error('these tests do not ask for it')
}

/** A host with a list of terminals that can be told to refuse. */
class FakeHost {
  ids = ['a', 'b', 'c']
  names: Record<string, string> = {}
  refuses = false
  unknown = false
  away = false
  hold: Promise<void> | undefined
  readonly restarted: string[] = []

  bridge(): Bridge {
    const answer = async <T>(run: () => T): Promise<Result<T>> => {
      await this.hold
      if (this.refuses) return { ok: false, error: { code: 'STORE_WRITE_FAILED', message: 'no' } }
      return { ok: true, value: run() }
    }
    return {
      beat: async () => ({ ok: true, value: true }),
      listWorkspaces: () => answer(() => []),
      listTerminals: async () =>
        this.away ? AWAY : { ok: true, value: this.ids.map((id, order) => this.#terminal(id, order)) },
      createTerminal: () => answer(() => this.#create()),
      renameTerminal: (_workspace, id, name) => answer(() => this.#rename(id, name)),
      reorderTerminals: (_workspace, ids) => answer(() => this.#reorder(ids)),
      killTerminal: (_workspace, id) => answer(() => this.#kill(id)),
      closeTerminal: (_workspace, id) => answer(() => this.#kill(id)),
      undoClose: () => answer(() => true),
      foregroundProgram: () => answer(() => null),
      moveTerminal: (_workspace, id) => answer(() => this.#kill(id)),
      removeWorkspace: () => answer(() => 0),
      listEnded: () => answer(() => []),
      restartTerminal: (_workspace, id) => answer(() => this.#restart(id)),
      forgetEnded: () => answer(() => 0),
      hostInfo: () => answer(() => ({ startedAt: '', version: '', homeProject: '/', notices: [] })),
      listCommands: notAsked,
      readSettings: notAsked,
      changeSetting: notAsked,
      listActivity: () => answer(() => []),
      listHistory: notAsked,
      bridgeCommand: notAsked,
      listAgentClients: notAsked,
      planConnection: notAsked,
      connectAgent: notAsked,
      disconnectAgent: notAsked,
      listConnectedAgents: notAsked,
      listHookClients: notAsked,
      planHooks: notAsked,
      addHooks: notAsked,
      removeHooks: notAsked,
      takeControl: notAsked,
      giveBack: notAsked,
      recallWindow: () => answer(() => ({})),
      rememberWindow: () => answer(() => true),
      on: () => () => undefined
    }
  }

  #terminal(id: string, order: number): TerminalSession {
    const name = this.names[id] ?? `Terminal ${id}`
    const live = { state: 'running', backend: 'tmux', cwd: '/p', program: '/bin/sh', pid: 1, exitCode: null } as const
    return { id, name, tmuxSession: `mc-${id}`, created: '', order, ...live }
  }

  #create() {
    this.ids = [...this.ids, 'd']
    return { id: 'd', tmuxSession: 'mc-d' }
  }

  #rename(id: string, name: string): boolean {
    if (!this.unknown) this.names[id] = name
    return !this.unknown
  }

  #reorder(ids: string[]): boolean {
    this.ids = ids
    return true
  }

  #restart(id: string) {
    this.restarted.push(id)
    return { id, tmuxSession: `mc-${id}-2`, warnings: ['another directory'] }
  }

  #kill(id: string): boolean {
    this.ids = this.ids.filter((other) => other !== id)
    return true
  }
}

let host: FakeHost
let actions: TabActions
let errors: AppError[]
let notices: string[]
let remembered: string | undefined

const state = () => workspaceTabs(workspaceId(workspace))
const shown = () => state().tabs.map(({ id }) => id)

beforeEach(async () => {
  useTerminals.setState({ byWorkspace: {} })
  host = new FakeHost()
  errors = []
  notices = []
  remembered = undefined
  actions = new TabActions({
    bridge: host.bridge(),
    workspace,
    memory: {
      recall: () => remembered,
      remember: (_workspace, id) => {
        remembered = id
      }
    },
    onError: (error) => errors.push(error),
    onNotice: (message) => notices.push(message)
  })
  await actions.refresh()
})

test('opening a workspace activates the tab of the last visit, else the first', async () => {
  expect(state().activeTabId).toBe('a')
  useTerminals.setState({ byWorkspace: {} })
  remembered = 'c'
  await actions.refresh()
  expect(state()).toMatchObject({ activeTabId: 'c', isLoading: false })
})

test('a tab the person adds becomes active', async () => {
  await actions.addTab()
  expect(shown()).toEqual(['a', 'b', 'c', 'd'])
  expect(state().activeTabId).toBe('d')
})

test('a tab that somebody else adds does not', async () => {
  host.ids = ['a', 'b', 'c', 'agent']
  await actions.refresh()
  expect(shown()).toContain('agent')
  expect(state().activeTabId).toBe('a')
})

test('closing the active tab activates its right neighbour, else the left', async () => {
  actions.setActiveTab('b')
  await actions.removeTab('b')
  expect(state().activeTabId).toBe('c')
  await actions.removeTab('c')
  expect(state().activeTabId).toBe('a')
})

test('when somebody else closes the active tab the neighbour is active too', async () => {
  actions.setActiveTab('b')
  host.ids = ['a', 'c']
  await actions.refresh()
  expect(state().activeTabId).toBe('c')
})

test('a reorder shows at once and ends up with the host', async () => {
  const done = actions.reorderTabs(0, 2)
  expect(shown()).toEqual(['b', 'c', 'a'])
  await done
  expect(host.ids).toEqual(['b', 'c', 'a'])
})

test('a list that was asked for before a change does not undo it on the screen', async () => {
  let release: () => void = () => undefined
  host.hold = new Promise((resolve) => {
    release = () => resolve()
  })
  const refreshed = actions.refresh()
  const done = actions.reorderTabs(0, 2)
  await refreshed
  await actions.refresh()
  expect(shown()).toEqual(['b', 'c', 'a'])
  release()
  await done
  expect(shown()).toEqual(['b', 'c', 'a'])
})

describe('a change that the host refuses is taken back and reported', () => {
  beforeEach(() => {
    host.refuses = true
  })

  test.each([
    ['reorder', () => actions.reorderTabs(0, 2)],
    ['rename', () => actions.renameTab('a', 'other')],
    ['close', () => actions.removeTab('a')],
    ['add', () => actions.addTab()]
  ])('%s', async (_name, change) => {
    const before = state()
    await change()
    expect(state().tabs).toEqual(before.tabs)
    expect(state().activeTabId).toBe('a')
    expect(errors.map(({ code }) => code)).toEqual(['STORE_WRITE_FAILED'])
  })
})

test('a refused change is taken back even when the host no longer answers', async () => {
  host.refuses = true
  host.away = true
  await actions.reorderTabs(0, 2)
  expect(shown()).toEqual(['a', 'b', 'c'])
  await actions.removeTab('a')
  await actions.renameTab('b', 'other')
  expect(state().tabs.map(({ name }) => name)).toEqual(['Terminal a', 'Terminal b', 'Terminal c'])
})

test('renaming a terminal that is gone says so by name', async () => {
  host.unknown = true
  await actions.renameTab('a', 'other')
  expect(errors[0]?.message).toContain('Terminal a')
  expect(state().tabs[0]?.name).toBe('Terminal a')
})

test('a name is shown trimmed before the host answers', async () => {
  const done = actions.renameTab('a', '  tests ')
  expect(state().tabs[0]?.name).toBe('tests')
  await done
})

test('a terminal that is started again is active, and what is not as it was is said', async () => {
  await actions.restartTab('b')
  expect(host.restarted).toEqual(['b'])
  expect(state().activeTabId).toBe('b')
  expect(notices).toEqual(['another directory'])
})
