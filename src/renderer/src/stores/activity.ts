import { create } from 'zustand'
import { needsYou, type TerminalActivity } from '../../../shared/activity'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, TerminalSession, TerminalState } from '../../../shared/terminal'

/** A terminal's state as tabs and rows mark it. */
export type Mark =
  | Exclude<TerminalState, 'running'>
  | 'idle'
  | 'working'
  | 'needsYou'
  | 'done'
  | 'failed'
  | 'bell'
  | 'news'

interface ActivityState {
  byId: Record<TerminalId, TerminalActivity>
  /** As it was when the person looked last. */
  seen: Record<TerminalId, TerminalActivity>
}

/** What goes on in the terminals, and how much of it the person has seen. */
export const useActivity = create<ActivityState>(() => ({ byId: {}, seen: {} }))

/** Keeps it in step with the host. What was there before this page came counts as seen. */
export function followActivity(bridge: Bridge): () => void {
  void bridge.listActivity().then((listed) => {
    if (!listed.ok) return
    put(listed.value)
    useActivity.setState(({ byId, seen }) => ({ seen: { ...byId, ...seen } }))
  })
  return bridge.on('activityChanged', put)
}

/** The person looks at these terminals now. */
export function markSeen(ids: readonly TerminalId[]): void {
  const { byId, seen } = useActivity.getState()
  const news = ids.filter((id) => byId[id] !== seen[id])
  if (news.length === 0) return
  const looked = news.flatMap((id) => (byId[id] ? [[id, byId[id]] as const] : []))
  useActivity.setState({ seen: { ...seen, ...Object.fromEntries(looked) } })
}

export function useMark(tab: TerminalSession): Mark {
  return useActivity(({ byId, seen }) => markOf(tab, byId[tab.id], seen[tab.id]))
}

/** What is most worth knowing: an end, a question, a bell, work, then what came while nobody looked. */
export function markOf(
  { state, exitCode }: TerminalSession,
  now: TerminalActivity | undefined,
  seen: TerminalActivity | undefined
): Mark {
  if (state === 'exited' && (exitCode ?? 0) > 0) return 'failed'
  if (state !== 'running') return state
  if (!now) return 'idle'
  if (needsYou(now)) return 'needsYou'
  if (now.bells > (seen?.bells ?? 0)) return 'bell'
  if (now.isWorking) return 'working'
  if (isDoneSince(now, seen)) return 'done'
  if (now.printed <= (seen?.printed ?? 0)) return 'idle'
  // An agent says itself when it is done; the command that it is has not ended.
  if (now.agentState || !hasEnded(now, seen)) return 'news'
  return (now.lastExitCode ?? 0) > 0 ? 'failed' : 'done'
}

/** The agent that runs there has finished what it was told since the person looked. */
function isDoneSince({ agentState: now }: TerminalActivity, seen: TerminalActivity | undefined): boolean {
  const before = seen?.agentState
  return now?.state === 'done' && (before?.state !== 'done' || before.since !== now.since)
}

/** A command ended since the person looked. */
function hasEnded(now: TerminalActivity, seen: TerminalActivity | undefined): boolean {
  if (seen?.isWorking) return true
  return now.lastExitCode !== (seen?.lastExitCode ?? null) || now.lastDurationMs !== (seen?.lastDurationMs ?? null)
}

function put(changes: TerminalActivity[]): void {
  useActivity.setState(({ byId }) => ({
    byId: { ...byId, ...Object.fromEntries(changes.map((change) => [change.id, change])) }
  }))
}
