import type { Bridge, HostInfo } from '../../../shared/ipc'
import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { strings } from '../strings'
import { recall, remember } from './memory'
import { showError, showPassing } from './toasts'

const NAME = 'visit'
const NOTE_MS = 12_000

/**
 * What a person finds when the window opens: at the very first time a terminal that is ready to be typed in, and later a
 * word about those that went on while Tandem was closed. True when there is a new terminal.
 */
export async function welcome(
  bridge: Bridge,
  { host, list, home }: { host: HostInfo; list: readonly WorkspaceSummary[]; home: WorkspaceKey }
): Promise<boolean> {
  const { startedAt } = recall(NAME)
  remember(NAME, { startedAt: host.startedAt })
  if (startedAt === undefined) return list.length === 0 && openFirst(bridge, home)
  if (startedAt !== host.startedAt) await tellKept(bridge, host)
  return false
}

async function openFirst(bridge: Bridge, home: WorkspaceKey): Promise<boolean> {
  const created = await bridge.createTerminal(home)
  if (!created.ok) showError(created.error)
  return created.ok
}

async function tellKept(bridge: Bridge, { startedAt }: HostInfo): Promise<void> {
  const listed = await bridge.listActivity()
  if (!listed.ok) return
  const kept = listed.value.filter((one) => one.endedAt === null && one.startedAt !== null && one.startedAt < startedAt)
  if (kept.length > 0) showPassing(strings.keptRunning(kept.length), { forMs: NOTE_MS })
}
