import { useEffect, useMemo } from 'react'
import type { AppError } from '../../../shared/errors'
import type { TerminalId, TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { useConnection } from '../stores/connection'
import { rememberedTab, rememberTab } from '../stores/remembered'
import { NO_TABS, useTerminals } from '../stores/terminals'
import { showError, showNotice } from '../stores/toasts'
import { workspaceId } from '../stores/workspaceId'
import { TabActions } from '../tabs/tabActions'
import { useBridge } from './useBridge'

export interface TerminalTabs {
  tabs: TerminalSession[]
  activeTabId: TerminalId | null
  activeTab: TerminalSession | null
  isLoading: boolean
  error: AppError | null
  addTab(): Promise<void>
  /** A terminal that does not become active yet, started where another one is. */
  createTab(besideId?: TerminalId): Promise<TerminalId | undefined>
  moveToSession(id: TerminalId, session: string): Promise<boolean>
  /** False when it could not be closed. */
  removeTab(id: TerminalId): Promise<boolean>
  /** Starts an ended terminal again in its place. */
  restartTab(id: TerminalId): Promise<void>
  renameTab(id: TerminalId, name: string): Promise<void>
  setActiveTab(id: TerminalId): void
  reorderTabs(from: number, to: number): Promise<void>
  refresh(): Promise<void>
}

const memory = { recall: rememberedTab, remember: rememberTab }

/** The tabs of one workspace, kept in step with the host. Unmounting ends nothing. */
export function useTerminalTabs({ project, session }: WorkspaceKey): TerminalTabs {
  const bridge = useBridge()
  const id = workspaceId({ project, session })
  const { tabs, activeTabId, isLoading, error } = useTerminals(({ byWorkspace }) => byWorkspace[id] ?? NO_TABS)
  const actions = useMemo(
    () =>
      new TabActions({
        bridge,
        workspace: { project, session },
        memory,
        onError: (error) => showError(error.toWire()),
        onNotice: showNotice
      }),
    [bridge, project, session]
  )
  useFollow(actions, { project, session })
  const activeTab = tabs.find((tab) => tab.id === activeTabId) ?? null
  const { addTab, createTab, moveToSession, removeTab, restartTab, renameTab, setActiveTab, reorderTabs, refresh } =
    actions
  return {
    tabs,
    activeTabId,
    activeTab,
    isLoading,
    error,
    addTab,
    createTab,
    moveToSession,
    removeTab,
    restartTab,
    renameTab,
    setActiveTab,
    reorderTabs,
    refresh
  }
}

function useFollow({ refresh }: TabActions, { project, session }: WorkspaceKey): void {
  const bridge = useBridge()
  const connected = useConnection(({ state }) => state === 'connected')
  useEffect(() => {
    if (!connected) return
    void refresh()
    return bridge.on('workspaceChanged', (changed) => {
      if (changed.project === project && changed.session === session) void refresh()
    })
  }, [bridge, connected, refresh, project, session])
}
