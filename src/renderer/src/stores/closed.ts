import { create } from 'zustand'
import { MAX_CLOSING } from '../../../shared/closing'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'

/** A terminal that was closed in this window. */
export interface Closed {
  workspace: WorkspaceKey
  id: TerminalId
  name: string
  /** Settles with whether the host closed it. */
  done: Promise<boolean>
  /** The message that offers it back, while there is one. */
  toast?: number
}

/** What this window has closed and can bring back, newest last. */
export const useClosed = create<{ stack: Closed[] }>(() => ({ stack: [] }))

export function noteClosed(closed: Closed): void {
  useClosed.setState(({ stack }) => ({ stack: [...stack, closed].slice(-MAX_CLOSING) }))
}

/** The one closed last, or this one if it was not taken yet. */
export function takeClosed(wanted?: Closed): Closed | undefined {
  const { stack } = useClosed.getState()
  const taken = wanted ? stack.find((closed) => closed === wanted) : stack.at(-1)
  if (taken) useClosed.setState({ stack: stack.filter((closed) => closed !== taken) })
  return taken
}
