import { create } from 'zustand'
import type { ConnectedAgent } from '../../../shared/agents'
import type { Bridge } from '../../../shared/ipc'
import { meetAgents } from './agents'
import { coalesced } from './coalesced'

/** Nobody announces that an agent has become silent. */
const LOOK_AGAIN_MS = 60_000

/** Agents that made a real request since the host started; undefined until it answered. */
export const useConnectedAgents = create<{ agents: ConnectedAgent[] | undefined }>(() => ({ agents: undefined }))

/** Keeps them in step with the host. */
export function followConnectedAgents(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const listed = await bridge.listConnectedAgents()
    if (!listed.ok) return
    meetAgents(listed.value.map(({ name }) => name))
    useConnectedAgents.setState({ agents: listed.value })
  })
  void refresh()
  const timer = setInterval(() => void refresh(), LOOK_AGAIN_MS)
  const stop = bridge.on('agentsChanged', () => void refresh())
  return () => {
    clearInterval(timer)
    stop()
  }
}

/** How many different agents are at work now, or were a few minutes ago. */
export function useAgentCount(): number {
  return useConnectedAgents(
    ({ agents }) =>
      new Set((agents ?? []).filter(({ isActive }) => isActive).map(({ name, token }) => JSON.stringify([name, token])))
        .size
  )
}
