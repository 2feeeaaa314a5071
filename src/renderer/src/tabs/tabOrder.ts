import type { TerminalId, TerminalSession } from '../../../shared/terminal'

/** The list with one entry moved; indexes out of range are brought into it. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list]
  const [entry] = rest.splice(from, 1)
  if (entry !== undefined) rest.splice(Math.max(0, Math.min(to, rest.length)), 0, entry)
  return rest
}

/** Which tab is active after `closed` goes: its right neighbour, else the left, else none. */
export function neighbourOf(tabs: readonly TerminalSession[], closed: TerminalId): TerminalId | null {
  const index = tabs.findIndex(({ id }) => id === closed)
  return (tabs[index + 1] ?? tabs[index - 1])?.id ?? null
}

/** The active tab for a fresh list: keep the present one, else the one of the last visit, else the first. */
export function activeIn(
  tabs: readonly TerminalSession[],
  { active, remembered }: { active: TerminalId | null; remembered: TerminalId | undefined }
): TerminalId | null {
  const known = (id: TerminalId | null | undefined) => tabs.some((tab) => tab.id === id)
  if (active !== null && known(active)) return active
  if (remembered !== undefined && known(remembered)) return remembered
  return tabs[0]?.id ?? null
}
