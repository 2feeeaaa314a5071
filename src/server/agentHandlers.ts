import { AGENT_CLIENTS, type AgentClient } from '../core/clients/agentClients'
import type { Connections } from '../core/clients/connections'
import { Audit } from '../core/data/audit'
import type { Access } from '../shared/access'
import type { AgentClientState, ConnectionOutcome } from '../shared/agents'
import { AppError } from '../shared/errors'
import type { Handlers } from '../shared/ipc'
import type { AgentsSeen } from './agentsSeen'
import { stepsOf } from './connectionSteps'
import type { AgentSetup } from './hostConnections'
import { strings } from './strings'

/** Several windows that ask at once are answered by one look. */
const LOOK_MS = 3_000

export interface AgentParts {
  access: Access
  /** How agents are connected; absent: they are not. */
  agentSetup?: (() => Promise<AgentSetup>) | undefined
  agentsSeen?: AgentsSeen | undefined
  audit?: Audit | undefined
  /** How the audit trail names the window. */
  clientName?: string
}

type AgentHandlers = Pick<
  Handlers,
  'bridgeCommand' | 'listAgentClients' | 'planConnection' | 'connectAgent' | 'disconnectAgent' | 'listConnectedAgents'
>

/** Which agents there are, and how a person connects them from a window. */
export function agentHandlers(parts: AgentParts): AgentHandlers {
  const { access, agentSetup, agentsSeen, audit = new Audit(), clientName = 'browser' } = parts
  const connections = async () => (await (agentSetup ?? none)()).connections
  const look = rememberedFor(LOOK_MS, async () => {
    const found = await connections()
    return Promise.all(AGENT_CLIENTS.map((client) => stateOf(found, client)))
  })
  const change = (id: string, action: 'connect' | 'disconnect') =>
    audit
      .recordOutcome({ actor: { token: access.name, client: clientName }, action, ...named(id) }, async () => {
        const found = await connections()
        return action === 'connect' ? connect(found, found.client(id)) : disconnect(found, found.client(id))
      })
      .finally(look.forget)
  return {
    bridgeCommand: async () => (await connections()).bridgeCommand(),
    listAgentClients: look.ask,
    planConnection: async (id, isRemoval = false) => {
      const found = await connections()
      return stepsOf(found.plan(found.client(id), { isRemoval }), isRemoval)
    },
    connectAgent: (id) => change(id, 'connect'),
    disconnectAgent: (id) => change(id, 'disconnect'),
    listConnectedAgents: () => agentsSeen?.all() ?? []
  }
}

function named(id: string): { to?: string } {
  const known = AGENT_CLIENTS.find((client) => client.id === id)
  return known ? { to: known.title } : {}
}

/** For a host that sets no agents up. */
export function none(): never {
  throw new AppError('NOT_FOUND', strings.agents.notHere)
}

async function stateOf(connections: Connections, client: AgentClient): Promise<AgentClientState> {
  const version = await connections.versionOf(client)
  const about = { id: client.id, name: client.title, ...(version === undefined ? {} : { version }) }
  try {
    const { isDetected, isConnected } = connections.plan(client)
    return { ...about, isFound: isDetected, isConnected }
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    const problem = [failure.message, failure.hint].filter(Boolean).join('. ')
    return { ...about, isFound: connections.isDetected(client), isConnected: false, problem }
  }
}

async function connect(connections: Connections, client: AgentClient): Promise<ConnectionOutcome> {
  const { title } = client
  const { isConnected } = connections.plan(client)
  const { backup } = await connections.apply(client)
  const tools = await connections.verify(client)
  const kept = backup === undefined ? [] : [strings.agents.backup(backup)]
  const silent = tools === undefined ? [strings.agents.silent(title)] : []
  const message = isConnected ? strings.agents.wasConnected(title) : strings.agents.connected(title)
  return { done: !isConnected, message: [message, ...kept].join(' '), warnings: silent }
}

async function disconnect(connections: Connections, client: AgentClient): Promise<ConnectionOutcome> {
  const { title } = client
  const { command, file } = connections.plan(client, { isRemoval: true })
  if (!command && !file) return { done: false, message: strings.agents.wasNotConnected(title), warnings: [] }
  const { backup } = await connections.apply(client, { isRemoval: true })
  const kept = backup === undefined ? [] : [strings.agents.backup(backup)]
  return { done: true, message: [strings.agents.parted(title), ...kept].join(' '), warnings: [] }
}

/** One answer for all who ask within a while; a failure is not kept. */
function rememberedFor<T>(limitMs: number, find: () => Promise<T>): { ask(): Promise<T>; forget(): void } {
  let kept: { answer: Promise<T>; until: number } | undefined
  const forget = () => {
    kept = undefined
  }
  const ask = async () => {
    if (!kept || kept.until < Date.now()) kept = { answer: find(), until: Date.now() + limitMs }
    try {
      return await kept.answer
    } catch (failure) {
      forget()
      throw failure
    }
  }
  return { ask, forget }
}
