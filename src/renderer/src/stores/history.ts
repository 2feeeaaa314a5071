import { create } from 'zustand'
import type { HistoryEntry } from '../../../shared/history'
import type { Bridge } from '../../../shared/ipc'
import { meetAgents } from './agents'
import { coalesced } from './coalesced'

/** Who did what, newest first; undefined until the host answered. */
export const useHistory = create<{ entries: HistoryEntry[] | undefined }>(() => ({ entries: undefined }))

/** Keeps it in step with the host. */
export function followHistory(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const listed = await bridge.listHistory()
    if (!listed.ok) return
    const agents = listed.value.flatMap(({ actor }) => (actor?.kind === 'agent' ? [actor.name] : []))
    meetAgents(agents.toReversed())
    useHistory.setState({ entries: listed.value })
  })
  void refresh()
  return bridge.on('historyChanged', () => void refresh())
}
