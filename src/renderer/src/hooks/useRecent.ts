import { useRef } from 'react'
import type { TerminalId, TerminalSession } from '../../../shared/terminal'

// Each kept terminal holds an emulator with its scrollback (a few MB) and a socket.
const MAX_KEPT = 8

/** The tabs whose terminals stay on the page: those looked at most recently, in a stable order. */
export function useRecent(activeTabId: TerminalId | null, tabs: TerminalSession[]): TerminalSession[] {
  const recent = useRef<TerminalId[]>([])
  if (activeTabId !== null && recent.current[0] !== activeTabId) {
    recent.current = [activeTabId, ...recent.current.filter((id) => id !== activeTabId)].slice(0, MAX_KEPT)
  }
  const kept = tabs.filter(({ id }) => recent.current.includes(id))
  // Moving a tab must not move its terminal in the document, which would lose its scroll position.
  return kept.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}
