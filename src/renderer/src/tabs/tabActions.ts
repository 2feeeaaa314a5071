import { AppError, type Result } from '../../../shared/errors'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { coalesced } from '../stores/coalesced'
import { putWorkspaceTabs, type WorkspaceTabs, workspaceTabs } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { strings } from '../strings'
import { activeIn, moved, neighbourOf } from './tabOrder'

/** Which tab was active at the last visit. */
export interface TabMemory {
  recall(workspace: WorkspaceKey): TerminalId | undefined
  remember(workspace: WorkspaceKey, id: TerminalId): void
}

export interface TabActionsOptions {
  bridge: Bridge
  workspace: WorkspaceKey
  memory: TabMemory
  onError(error: AppError): void
  onNotice(message: string): void
}

/**
 * Everything that can be done to the tabs of one workspace. Changes show at once and are taken back when the host
 * refuses them; each failure is reported. While a change is under way lists from the host wait, so that an older
 * answer never undoes what the person sees.
 */
export class TabActions {
  readonly #options: TabActionsOptions
  readonly #id: string
  readonly #load: () => Promise<void>
  #changesUnderWay = 0
  #generation = 0

  constructor(options: TabActionsOptions) {
    this.#options = options
    this.#id = workspaceId(options.workspace)
    this.#load = coalesced(() => this.#fetch())
  }

  refresh = async (): Promise<void> => {
    if (this.#changesUnderWay === 0) await this.#load()
  }

  addTab = async (): Promise<void> => {
    const id = await this.createTab()
    if (id !== undefined) this.setActiveTab(id)
  }

  /** A terminal that does not become active yet; beside another one it starts where that one is. */
  createTab = async (besideId?: TerminalId): Promise<TerminalId | undefined> => {
    const { bridge, workspace } = this.#options
    const created = await this.#change(() => bridge.createTerminal(workspace, undefined, besideId))
    await this.#load()
    return created?.id
  }

  /** To another session of the same project; it goes on running. */
  moveToSession = async (id: TerminalId, session: string): Promise<boolean> => {
    const { bridge, workspace } = this.#options
    const moved = await this.#change(() => bridge.moveTerminal(workspace, id, session))
    await this.#load()
    return moved === true
  }

  /** Closes it for this and every window; for a while the host can bring it back. False when it could not be closed. */
  removeTab = async (id: TerminalId): Promise<boolean> => {
    const { bridge, workspace } = this.#options
    const before = this.#now
    const activeTabId = before.activeTabId === id ? neighbourOf(before.tabs, id) : before.activeTabId
    this.#put({ tabs: before.tabs.filter((tab) => tab.id !== id), activeTabId })
    // `false` means that it was gone already: what the person wanted is so.
    const closed = await this.#change(() => bridge.closeTerminal(workspace, id))
    if (closed === undefined) this.#put({ tabs: before.tabs, activeTabId: before.activeTabId })
    else if (activeTabId !== null) this.#options.memory.remember(workspace, activeTabId)
    await this.#load()
    return closed !== undefined
  }

  restartTab = async (id: TerminalId): Promise<void> => {
    const { bridge, workspace, onNotice } = this.#options
    const restarted = await this.#change(() => bridge.restartTerminal(workspace, id))
    for (const warning of restarted?.warnings ?? []) onNotice(warning)
    await this.#load()
    if (restarted) this.setActiveTab(restarted.id)
  }

  renameTab = async (id: TerminalId, name: string): Promise<void> => {
    const { bridge, workspace, onError } = this.#options
    const before = this.#now.tabs
    const old = before.find((tab) => tab.id === id)
    if (!old || old.name === name.trim()) return
    this.#put({ tabs: before.map((tab) => (tab.id === id ? { ...tab, name: name.trim() } : tab)) })
    const renamed = await this.#change(() => bridge.renameTerminal(workspace, id, name))
    if (renamed === false) onError(noLongerThere(old))
    if (!renamed) this.#put({ tabs: this.#now.tabs.map((tab) => (tab.id === id ? { ...tab, name: old.name } : tab)) })
    await this.#load()
  }

  reorderTabs = async (from: number, to: number): Promise<void> => {
    const { bridge, workspace } = this.#options
    const before = this.#now.tabs
    const tabs = moved(before, from, to)
    if (tabs.every((tab, index) => tab === before[index])) return
    this.#put({ tabs })
    const orderedIds = tabs.map((tab) => tab.id)
    const done = await this.#change(() => bridge.reorderTerminals(workspace, orderedIds))
    if (!done) this.#put({ tabs: before })
    await this.#load()
  }

  setActiveTab = (id: TerminalId): void => {
    if (!this.#now.tabs.some((tab) => tab.id === id)) return
    this.#options.memory.remember(this.#options.workspace, id)
    this.#put({ activeTabId: id })
  }

  async #fetch(): Promise<void> {
    const { bridge, workspace, memory } = this.#options
    const generation = this.#generation
    const listed = await bridge.listTerminals(workspace)
    if (generation !== this.#generation || this.#changesUnderWay > 0) return
    if (!listed.ok) return this.#failed(listed.error)
    const tabs = listed.value.toSorted((left, right) => left.order - right.order)
    const { tabs: before, activeTabId } = this.#now
    const active = tabs.some(({ id }) => id === activeTabId) ? activeTabId : survivor(before, tabs, activeTabId)
    const chosen = activeIn(tabs, { active, remembered: memory.recall(workspace) })
    this.#put({ tabs, activeTabId: chosen, isLoading: false, error: null })
  }

  async #change<T>(run: () => Promise<Result<T>>): Promise<T | undefined> {
    this.#changesUnderWay += 1
    this.#generation += 1
    const result = await run()
    this.#changesUnderWay -= 1
    if (result.ok) return result.value
    this.#failed(result.error)
    return undefined
  }

  #failed({ code, message, hint }: { code: AppError['code']; message: string; hint?: string }): void {
    const error = new AppError(code, message, hint)
    this.#put({ error, isLoading: false })
    this.#options.onError(error)
  }

  get #now(): WorkspaceTabs {
    return workspaceTabs(this.#id)
  }

  #put(change: Partial<WorkspaceTabs>): void {
    putWorkspaceTabs(this.#id, change)
  }
}

/** When someone else closed the active tab: its nearest right neighbour that is left, else the nearest left one. */
function survivor(
  before: readonly TerminalSession[],
  now: readonly TerminalSession[],
  closed: TerminalId | null
): TerminalId | null {
  const index = before.findIndex(({ id }) => id === closed)
  if (index < 0) return null
  const candidates = [...before.slice(index + 1), ...before.slice(0, index).reverse()]
  return candidates.find(({ id }) => now.some((tab) => tab.id === id))?.id ?? null
}

function noLongerThere({ name }: TerminalSession): AppError {
  return new AppError('SESSION_NOT_FOUND', strings.errors.noLongerThere(name), strings.errors.noLongerThereHint)
}
