import type { HookClient } from '../core/clients/hooks/hookClients'
import type { HookSetup } from '../core/clients/hooks/hookSetup'
import { Audit } from '../core/data/audit'
import type { ConnectionOutcome, HookClientState } from '../shared/agents'
import { AppError } from '../shared/errors'
import type { Handlers } from '../shared/ipc'
import { type AgentParts, none } from './agentHandlers'
import { stepsOf } from './connectionSteps'
import { strings } from './strings'

const text = strings.agents.hooks

/** How a person has the agents of this machine show when they need them, from a window. */
export function hookHandlers(
  parts: AgentParts
): Pick<Handlers, 'listHookClients' | 'planHooks' | 'addHooks' | 'removeHooks'> {
  const { access, agentSetup = none, audit = new Audit(), clientName = 'browser' } = parts
  const setup = async () => (await agentSetup()).hooks
  const change = (id: string, { isRemoval }: { isRemoval: boolean }) => {
    const action = isRemoval ? 'removeHooks' : 'addHooks'
    return audit.recordOutcome({ actor: { token: access.name, client: clientName }, action }, async () => {
      const found = await setup()
      return changed(found, found.client(id), isRemoval)
    })
  }
  return {
    listHookClients: async () => {
      const found = await setup()
      return found.clients.map((client) => stateOf(found, client))
    },
    planHooks: async (id, isRemoval = false) => {
      const found = await setup()
      return stepsOf(found.plan(found.client(id), { isRemoval }), isRemoval)
    },
    addHooks: (id) => change(id, { isRemoval: false }),
    removeHooks: (id) => change(id, { isRemoval: true })
  }
}

function stateOf(setup: HookSetup, client: HookClient): HookClientState {
  const about = { id: client.id, name: client.title, isFound: setup.isDetected(client) }
  try {
    return { ...about, isOn: setup.plan(client).isConnected }
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    return { ...about, isOn: false, problem: [failure.message, failure.hint].filter(Boolean).join('. ') }
  }
}

function changed(setup: HookSetup, client: HookClient, isRemoval: boolean): ConnectionOutcome {
  const { title } = client
  const done = setup.plan(client, { isRemoval }).file !== undefined
  const { backup } = setup.apply(client, { isRemoval })
  const kept = backup === undefined ? [] : [strings.agents.backup(backup)]
  const message = isRemoval ? text.removed(title) : text.added(title)
  return { done, message: [message, ...kept].join(' '), warnings: [] }
}
