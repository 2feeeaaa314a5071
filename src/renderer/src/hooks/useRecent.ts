import { useRef } from 'react'
import type { TerminalId, TerminalSession } from '../../../shared/terminal'

// Each kept terminal holds an emulator with its scrollback (a few MB) and a socket.
const MAX_KEPT = 8

/** The tabs whose terminals stay on the page: those looked at most recently, in a stable order. */
export function useRecent(visible: readonly TerminalId[], tabs: TerminalSession[]): TerminalSession[] {
  const recent = useRef<TerminalId[]>([])
  const others = recent.current.filter((id) => !visible.includes(id))
  recent.current = [...visible, ...others].slice(0, Math.max(MAX_KEPT, visible.length))
  const kept = tabs.filter(({ id }) => recent.current.includes(id))
  // Moving a tab must not move its terminal in the document, which would lose its scroll position.
  return kept.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}
