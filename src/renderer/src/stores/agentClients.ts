import { create } from 'zustand'
import type { AgentClientState } from '../../../shared/agents'
import type { Bridge } from '../../../shared/ipc'
import { showError } from './toasts'

/** The programs for agents on this machine; undefined until the host answered. */
export const useAgentClients = create<{ clients: AgentClientState[] | undefined }>(() => ({ clients: undefined }))

/** Those that can be connected, or are. */
export function presentClients(clients: readonly AgentClientState[]): AgentClientState[] {
  return clients.filter(({ isFound, isConnected }) => isFound || isConnected)
}

export async function loadAgentClients(bridge: Bridge): Promise<void> {
  const listed = await bridge.listAgentClients()
  if (listed.ok) useAgentClients.setState({ clients: listed.value })
  else showError(listed.error)
}
