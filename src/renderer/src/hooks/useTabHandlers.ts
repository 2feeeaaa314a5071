import type { TerminalId, TerminalSession } from '../../../shared/terminal'
import { useActionHandlers } from '../actions/registry'
import type { TerminalTabs } from './useTerminalTabs'

interface TabHandlers {
  terminals: TerminalTabs
  add(): void
  close(id: TerminalId): void
  closeOthers(id: TerminalId): Promise<void>
  rename(id: TerminalId): void
  move(from: number, to: number): void
  focusTerminal(): void
}

/** What the tabs answer to, by key, palette and menu. */
export function useTabHandlers(handlers: TabHandlers): void {
  const { terminals, add, close, closeOthers, rename, move, focusTerminal } = handlers
  const { tabs, activeTabId, activeTab, setActiveTab, restartTab } = terminals
  const index = tabs.findIndex(({ id }) => id === activeTabId)
  const goTo = (target: number) => {
    const id = tabs.at(target)?.id
    if (id === undefined) return undefined
    return () => {
      setActiveTab(id)
      focusTerminal()
    }
  }
  const numbered = (number: number) => (number < tabs.length ? goTo(number) : undefined)
  const active = activeTabId
  useActionHandlers({
    newTerminal: add,
    closeTerminal: active === null ? undefined : () => close(active),
    closeOthers: active === null || tabs.length < 2 ? undefined : () => void closeOthers(active).then(focusTerminal),
    renameTerminal: active === null ? undefined : () => rename(active),
    restartTerminal: isOver(activeTab) ? () => void restartTab(activeTab.id).then(focusTerminal) : undefined,
    goToTab1: numbered(0),
    goToTab2: numbered(1),
    goToTab3: numbered(2),
    goToTab4: numbered(3),
    goToTab5: numbered(4),
    goToTab6: numbered(5),
    goToTab7: numbered(6),
    goToTab8: numbered(7),
    goToLastTab: goTo(-1),
    previousTab: tabs.length > 1 ? goTo(index - 1) : undefined,
    nextTab: tabs.length > 1 ? goTo((index + 1) % tabs.length) : undefined,
    moveTabLeft: index > 0 ? () => move(index, index - 1) : undefined,
    moveTabRight: index >= 0 && index < tabs.length - 1 ? () => move(index, index + 1) : undefined
  })
}

function isOver(tab: TerminalSession | null): tab is TerminalSession {
  return tab?.state === 'exited' || tab?.state === 'lost'
}
