import { useEffect, useState } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { STARTING, useViewStatuses } from '../stores/viewStatuses'
import { useExpectedTerminals } from '../stores/workspaces'
import type { TerminalTabs } from './useTerminalTabs'

/** How many terminals of a workspace are awaited, and how many of them are there. */
export interface Restoring {
  total: number
  ready: number
}

/**
 * From the opening of a workspace until every terminal that is shown has its screen; undefined after that. Those behind
 * them are ready as soon as they are listed: the host holds them.
 */
export function useRestoring(
  workspace: WorkspaceKey,
  { tabs, isLoading }: TerminalTabs,
  visible: readonly TerminalId[]
): Restoring | undefined {
  const expected = useExpectedTerminals(workspace)
  const [isOver, setIsOver] = useState(false)
  const shown = tabs.filter(({ id }) => visible.includes(id))
  const awaited = useViewStatuses(
    ({ bySession }) =>
      shown.filter(({ tmuxSession }) => (bySession[tmuxSession] ?? STARTING).link === 'connecting').length
  )
  const isRestored = isOver || (!isLoading && awaited === 0)
  useEffect(() => setIsOver(isRestored), [isRestored])
  if (isRestored) return undefined
  return isLoading ? { total: expected, ready: 0 } : { total: tabs.length, ready: tabs.length - awaited }
}
