import { create } from 'zustand'
import type { ConnectedAgent } from '../../../shared/agents'
import type { Bridge } from '../../../shared/ipc'
import { meetAgents } from './agents'
import { coalesced } from './coalesced'

/** Agents that made a real request since the host started. */
export const useConnectedAgents = create<{ agents: ConnectedAgent[] }>(() => ({ agents: [] }))

/** Keeps them in step with the host. */
export function followConnectedAgents(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const listed = await bridge.listConnectedAgents()
    if (!listed.ok) return
    meetAgents(listed.value.map(({ name }) => name))
    useConnectedAgents.setState({ agents: listed.value })
  })
  void refresh()
  return bridge.on('agentsChanged', () => void refresh())
}
