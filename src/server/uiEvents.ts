import type { Audit } from '../core/data/audit'
import type { SettingsStore } from '../core/data/settingsStore'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Events } from '../shared/ipc'
import type { AgentsSeen } from './agentsSeen'

/** A list of what was done is asked for anew; nobody reads faster. */
const HISTORY_MS = 1_000

export interface UiEventSources {
  workspaces: Workspaces
  settingsStore: SettingsStore
  audit?: Audit | undefined
  agentsSeen?: AgentsSeen | undefined
}

export type SendEvent = <K extends keyof Events>(event: K, ...args: Parameters<Events[K]>) => void

/** Tells a window what the host announces, whatever carries it, until the returned function is called. */
export function followUiEvents(sources: UiEventSources, send: SendEvent): () => void {
  const { workspaces, settingsStore, audit, agentsSeen } = sources
  const history = gathered(() => send('historyChanged'), HISTORY_MS)
  const agents = gathered(() => send('agentsChanged'), HISTORY_MS)
  const stops = [
    workspaces.onChange((key) => send('workspaceChanged', key)),
    workspaces.activity.onChange((changes) => send('activityChanged', changes)),
    settingsStore.onChange(() => send('settingsChanged', settingsStore.report())),
    workspaces.activity.onCommand(history.soon),
    audit?.onRecord(history.soon) ?? (() => undefined),
    history.stop,
    agentsSeen?.onChange(agents.soon) ?? (() => undefined),
    agents.stop
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Many calls become one, a while after the first of them. */
function gathered(tell: () => void, afterMs: number): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        tell()
      }, afterMs).unref()
    },
    stop: () => clearTimeout(timer)
  }
}
