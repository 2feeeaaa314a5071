import { beforeEach, expect, test } from 'vitest'
import type { Result, WireError } from '../../../shared/errors'
import type { Bridge } from '../../../shared/ipc'
import type { EndedTerminal } from '../../../shared/terminal'
import { endedOffer, useEndedOffers } from '../stores/endedOffers'
import { workspaceId } from '../stores/workspaceId'
import { OfferActions } from './offerActions'

const workspace = { project: '/p', session: 's' }

function ended(id: string, order: number, offered = true): EndedTerminal {
  const reason = offered ? 'vanished' : 'closed'
  const where = { tmuxSession: `mc-${id}`, backend: 'tmux', cwd: '/p', program: '/bin/sh' } as const
  return { id, name: `Terminal ${id}`, created: '', order, endedAt: '', reason, offered, ...where }
}

let list: EndedTerminal[]
let restarted: string[]
let refused: Set<string>
let errors: WireError[]
let notices: string[]
let actions: OfferActions

const shown = () => endedOffer(workspaceId(workspace)).terminals.map(({ id }) => id)
const isBusy = () => endedOffer(workspaceId(workspace)).isBusy

// Only the calls that an offer needs.
function bridge(): Bridge {
  return {
    listEnded: async () => ({ ok: true, value: list }),
    restartTerminal: async (_workspace: unknown, id: string) => restart(id),
    forgetEnded: async (_workspace: unknown, ids: string[]) => {
      list = list.map((one) => (ids.includes(one.id) ? { ...one, offered: false } : one))
      return { ok: true, value: ids.length }
    }
  } as unknown as Bridge
}

function restart(id: string): Result<{ id: string; tmuxSession: string; warnings: string[] }> {
  if (refused.has(id)) return { ok: false, error: { code: 'PROGRAM_NOT_FOUND', message: id } }
  restarted.push(id)
  list = list.filter((one) => one.id !== id)
  return { ok: true, value: { id, tmuxSession: '', warnings: id === 'b' ? ['another directory'] : [] } }
}

beforeEach(async () => {
  useEndedOffers.setState({ byWorkspace: {} })
  list = [ended('c', 2), ended('closed', 1, false), ended('a', 0), ended('b', 1)]
  restarted = []
  refused = new Set()
  errors = []
  notices = []
  actions = new OfferActions({
    bridge: bridge(),
    workspace,
    onError: (error) => errors.push(error),
    onNotice: (message) => notices.push(message)
  })
  await actions.refresh()
})

test('what nobody closed is offered, in the order of its tabs', () => {
  expect(shown()).toEqual(['a', 'b', 'c'])
})

test('all start again from left to right, and the offer is gone', async () => {
  const done = actions.startAgain()
  expect(isBusy()).toBe(true)
  expect(await done).toBe('a')
  expect(restarted).toEqual(['a', 'b', 'c'])
  expect(notices).toEqual(['another directory'])
  expect([shown(), isBusy()]).toEqual([[], false])
})

test('one that cannot be started stays on offer and stops no other', async () => {
  refused.add('a')
  expect(await actions.startAgain()).toBe('b')
  expect(restarted).toEqual(['b', 'c'])
  expect(errors).toMatchObject([{ code: 'PROGRAM_NOT_FOUND' }])
  expect(shown()).toEqual(['a'])
})

test('forgetting starts nothing and ends the offer', async () => {
  await actions.forget()
  expect([restarted, shown()]).toEqual([[], []])
})

test('a host that does not answer offers nothing', async () => {
  const silent = { listEnded: async () => ({ ok: false, error: { code: 'IO_ERROR', message: '' } }) }
  const away = { bridge: silent as unknown as Bridge, workspace, onError: () => undefined, onNotice: () => undefined }
  await new OfferActions(away).refresh()
  expect(shown()).toEqual([])
})
