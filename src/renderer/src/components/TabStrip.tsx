import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { TerminalId } from '../../../shared/terminal'
import { useTabDrag } from '../hooks/useTabDrag'
import type { TerminalTabs } from '../hooks/useTerminalTabs'
import { strings } from '../strings'
import { stripCommand } from '../tabs/stripKeys'
import { neighbourOf } from '../tabs/tabOrder'
import { NewTerminalButton } from './NewTerminalButton'
import { Tab } from './Tab'

interface TabStripProps {
  terminals: TerminalTabs
  renaming: TerminalId | null
  setRenaming(id: TerminalId | null): void
  add(): Promise<void>
  move(from: number, to: number): void
  /** The person is done with the strip: the keyboard goes back to the terminal. */
  leave(): void
}

/** The terminals of a workspace in their order, to choose, rename, move and close by mouse or keyboard. */
export function TabStrip(props: TabStripProps) {
  const { terminals, renaming, setRenaming, add, move, leave } = props
  const { tabs, activeTabId, setActiveTab, removeTab } = terminals
  const strip = useRef<HTMLDivElement>(null)
  const { dragging, start } = useTabDrag(strip, move)
  const onKeyDown = useStripKeys(strip, props)
  const onRename = useRenamed(props)
  useActiveTabInView(strip, activeTabId)
  return (
    <div className="tabStrip">
      <div className="tabs" role="tablist" aria-label={strings.terminals} ref={strip}>
        {tabs.map((tab, index) => (
          <Tab
            key={tab.id}
            tab={tab}
            active={tab.id === activeTabId}
            renaming={tab.id === renaming}
            dragged={dragging?.from === index}
            gap={gapMark(dragging?.gap, { index, count: tabs.length })}
            onPointerDown={(event) => start(event, index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onActivate={() => setActiveTab(tab.id)}
            onClick={leave}
            onClose={() => void removeTab(tab.id).then(leave)}
            onStartRename={() => setRenaming(tab.id)}
            onRename={(name) => onRename(tab.id, name)}
          />
        ))}
      </div>
      <NewTerminalButton add={add} />
    </div>
  )
}

function useStripKeys(strip: RefObject<HTMLElement | null>, { terminals, setRenaming, move, leave }: TabStripProps) {
  const { tabs, setActiveTab, removeTab } = terminals
  return (event: KeyboardEvent, index: number) => {
    const command = stripCommand(event, { index, count: tabs.length })
    if (!command) return
    event.preventDefault()
    const id = tabs['to' in command ? command.to : index]?.id
    if (command.do === 'move') move(index, command.to)
    else if (command.do === 'leave') leave()
    else if (id === undefined) return
    else if (command.do === 'close') {
      const next = neighbourOf(tabs, id)
      void removeTab(id)
      // The tab that had the focus is gone with the next drawing; the strip keeps it.
      requestAnimationFrame(() => next !== null && tabElement(strip, next)?.focus())
    } else if (command.do === 'rename') setRenaming(id)
    else {
      setActiveTab(id)
      tabElement(strip, id)?.focus()
    }
  }
}

function useRenamed({ terminals, setRenaming, leave }: TabStripProps) {
  return (id: TerminalId, name: string | undefined) => {
    setRenaming(null)
    if (name !== undefined) void terminals.renameTab(id, name)
    leave()
  }
}

function useActiveTabInView(strip: RefObject<HTMLElement | null>, activeTabId: TerminalId | null): void {
  useEffect(() => {
    const tab = activeTabId === null ? null : tabElement(strip, activeTabId)
    tab?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [strip, activeTabId])
}

function tabElement(strip: RefObject<HTMLElement | null>, id: TerminalId): HTMLElement | null {
  return strip.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id)}"]`) ?? null
}

function gapMark(gap: number | undefined, { index, count }: { index: number; count: number }) {
  if (gap === index) return 'before'
  return gap === count && index === count - 1 ? 'after' : undefined
}
