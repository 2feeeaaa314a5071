import type { TerminalId } from '../../../shared/terminal'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import type { TerminalTabs } from './useTerminalTabs'

/** Gives a terminal to another session of the project, and says so. */
export function useMoveToSession({ tabs, moveToSession }: TerminalTabs) {
  return async (id: TerminalId, session: string): Promise<void> => {
    const name = tabs.find((tab) => tab.id === id)?.name ?? ''
    if (await moveToSession(id, session)) showNotice(strings.movedTo(displayText(name), displayText(session)))
  }
}
