import { create } from 'zustand'
import type { ViewStatus } from '../terminal/terminalView'

export const STARTING: ViewStatus = { link: 'connecting', size: undefined, sizedElsewhere: false, title: '' }

/** What the terminals on the page say about themselves, by tmux session. */
export const useViewStatuses = create<{ bySession: Record<string, ViewStatus> }>(() => ({ bySession: {} }))

export function putViewStatus(tmuxSession: string, status: ViewStatus): void {
  useViewStatuses.setState(({ bySession }) => ({ bySession: { ...bySession, [tmuxSession]: status } }))
}

export function forgetViewStatus(tmuxSession: string): void {
  useViewStatuses.setState(({ bySession: { [tmuxSession]: _, ...bySession } }) => ({ bySession }))
}

export function useViewStatus(tmuxSession: string): ViewStatus {
  return useViewStatuses(({ bySession }) => bySession[tmuxSession] ?? STARTING)
}
