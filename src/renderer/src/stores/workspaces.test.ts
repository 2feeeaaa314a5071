import { expect, test } from 'vitest'
import type { TerminalActivity } from '../../../shared/activity'
import type { Bridge } from '../../../shared/ipc'
import { followWorkspaces } from './workspaces'

type Told = (changes: TerminalActivity[]) => void

/** A host that only announces, and counts how often it is asked for the list. */
function announcingHost(): { bridge: Bridge; tell: Told; asked(): number } {
  let told: Told = () => undefined
  let asked = 0
  const bridge = {
    on: (event: string, listener: Told) => {
      if (event === 'activityChanged') told = listener
      return () => undefined
    },
    listWorkspaces: async () => {
      asked += 1
      return { ok: true, value: [] }
    }
  }
  // Nothing else of the contract is called here.
  return { bridge: bridge as unknown as Bridge, tell: (changes) => told(changes), asked: () => asked }
}

const activity = (id: string, isWorking: boolean): TerminalActivity => ({
  id,
  isWorking,
  needsPerson: false,
  lastExitCode: null,
  lastDurationMs: null,
  cwd: null,
  startedAt: null,
  endedAt: null,
  printed: 0,
  bells: 0,
  holder: null,
  isTaken: false,
  agent: null,
  watchers: [],
  agentState: null
})

test('the list is asked for again at every change of work, also of terminals that change together', async () => {
  const { bridge, tell, asked } = announcingHost()
  followWorkspaces(bridge)
  tell([activity('two', false)])
  await expect.poll(asked).toBe(1)
  tell([activity('one', true), activity('two', true)])
  await expect.poll(asked).toBe(2)
  tell([activity('two', false)])
  await expect.poll(asked).toBe(3)
})

test('after a change the list is looked at once more: it may show work that no announcement tells the end of', async () => {
  const { bridge, tell, asked } = announcingHost()
  followWorkspaces(bridge)
  tell([activity('three', false)])
  await expect.poll(asked).toBe(1)
  tell([activity('three', false)])
  await expect.poll(asked).toBe(2)
  for (let more = 0; more < 5; more += 1) tell([activity('three', false)])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked()).toBe(2)
})
