import { useEffect } from 'react'
import { type TabCommand, tabCommand } from '../tabs/shortcuts'
import type { TerminalTabs } from './useTerminalTabs'

interface ShortcutActions {
  terminals: TerminalTabs
  add(): void
  move(from: number, to: number): void
}

/** Listens before the terminal does, so that a command's keys never reach the program as well. */
export function useTabShortcuts(actions: ShortcutActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = tabCommand(event)
      if (!command) return
      event.preventDefault()
      event.stopPropagation()
      run(command, actions)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  })
}

function run(command: TabCommand, { terminals, add, move }: ShortcutActions): void {
  const { tabs, activeTabId, setActiveTab, removeTab } = terminals
  const index = tabs.findIndex(({ id }) => id === activeTabId)
  const goTo = (target: number) => {
    const id = tabs.at(target)?.id
    if (id !== undefined) setActiveTab(id)
  }
  if (command.do === 'new') add()
  else if (command.do === 'nextRegion') focusNextRegion()
  else if (activeTabId === null) return
  else if (command.do === 'close') void removeTab(activeTabId)
  else if (command.do === 'move') move(index, index + command.by)
  else if (command.do === 'go') goTo((index + command.by) % tabs.length)
  else if (command.do === 'goTo') goTo(command.index)
}

const REGIONS = ['.sidebar', '.tabStrip', '.terminalPane:not([hidden]), .emptyWorkspace']
const FOCUSABLE = '[aria-current=true], [role=tab][tabindex="0"], textarea, button:not([tabindex="-1"]), input'

/** The keyboard's way out of the terminal, where Tab belongs to the program. */
function focusNextRegion(): void {
  const present = REGIONS.map((selector) => document.querySelector(selector)).filter((region) => region !== null)
  const current = present.findIndex((region) => region.contains(document.activeElement))
  present[(current + 1) % present.length]?.querySelector<HTMLElement>(FOCUSABLE)?.focus()
}
