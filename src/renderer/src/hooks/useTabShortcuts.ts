import { useEffect } from 'react'
import { type TabCommand, tabCommand } from '../tabs/shortcuts'
import type { TerminalTabs } from './useTerminalTabs'

interface ShortcutActions {
  terminals: TerminalTabs
  add(): void
  move(from: number, to: number): void
  focusTerminal(): void
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

function run(command: TabCommand, { terminals, add, move, focusTerminal }: ShortcutActions): void {
  const { tabs, activeTabId, setActiveTab, removeTab } = terminals
  const index = tabs.findIndex(({ id }) => id === activeTabId)
  const goTo = (target: number) => {
    const id = tabs.at(target)?.id
    if (id !== undefined) setActiveTab(id)
    focusTerminal()
  }
  if (command.do === 'new') add()
  else if (command.do === 'nextRegion') focusNextRegion()
  else if (activeTabId === null) return
  else if (command.do === 'close') void removeTab(activeTabId).then(focusTerminal)
  else if (command.do === 'move') move(index, index + command.by)
  else if (command.do === 'go') goTo((index + command.by) % tabs.length)
  else if (command.do === 'goTo') goTo(command.index)
}

const REGIONS = ['.sidebar', '.tabStrip', '.terminalPane:not([hidden]), .emptyWorkspace']
// In order of preference: what the region is about comes before its other controls.
const FOCUSABLE = ['[aria-current=true]', '[role=tab][tabindex="0"]', 'textarea', 'button:not([tabindex="-1"])']

/** The keyboard's way out of the terminal, where Tab belongs to the program. */
function focusNextRegion(): void {
  const present = REGIONS.map((selector) => document.querySelector(selector)).filter((region) => region !== null)
  const current = present.findIndex((region) => region.contains(document.activeElement))
  const next = present[(current + 1) % present.length]
  const targets = FOCUSABLE.map((selector) => next?.querySelector<HTMLElement>(selector))
  targets.find((target) => target)?.focus()
}
