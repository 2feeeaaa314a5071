import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { ActionId } from '../../../shared/actions'
import type { TerminalId, TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { actionItems } from '../actions/actionItems'
import { useScrolledStrip } from '../hooks/useScrolledStrip'
import { type TabDrops, useTabDrag } from '../hooks/useTabDrag'
import type { TerminalTabs } from '../hooks/useTerminalTabs'
import { openMenu } from '../stores/menu'
import { useExpectedTerminals } from '../stores/workspaces'
import { strings } from '../strings'
import { stripCommand } from '../tabs/stripKeys'
import { neighbourOf } from '../tabs/tabOrder'
import { displayText } from '../terminal/displayText'
import { StripButtons } from './StripButtons'
import { Tab } from './Tab'

export interface TabStripProps {
  workspace: WorkspaceKey
  terminals: TerminalTabs
  /** Those that are shown, for a split more than the active one. */
  visible: readonly TerminalId[]
  renaming: TerminalId | null
  setRenaming(id: TerminalId | null): void
  add(): Promise<void>
  close(id: TerminalId): Promise<void>
  drops: TabDrops
  /** The person is done with the strip: the keyboard goes back to the terminal. */
  leave(): void
}

/** The terminals of a workspace in their order, to choose, rename, move, split and close by mouse or keyboard. */
export function TabStrip(props: TabStripProps) {
  const { terminals, visible, renaming, setRenaming, add, close, drops, leave } = props
  const { tabs, activeTabId, setActiveTab } = terminals
  const strip = useRef<HTMLDivElement>(null)
  const { dragging, start } = useTabDrag(strip, drops)
  const onKeyDown = useStripKeys(strip, props)
  const onRename = useRenamed(props)
  useScrolledStrip(strip)
  useActiveTabInView(strip, activeTabId)
  const expected = useExpectedTerminals(props.workspace)
  const choose = (id: TerminalId) => {
    setActiveTab(id)
    leave()
  }
  return (
    <div className="tabStrip">
      <div className="tabs" role="tablist" aria-label={strings.terminals} ref={strip}>
        {terminals.isLoading && tabs.length === 0 && <TabSkeleton count={expected} />}
        {tabs.map((tab, index) => (
          <Tab
            key={tab.id}
            tab={tab}
            active={tab.id === activeTabId}
            shown={visible.length > 1 && visible.includes(tab.id)}
            renaming={tab.id === renaming}
            dragged={dragging?.from === index}
            gap={gapMark(dragging?.gap, { index, count: tabs.length })}
            onPointerDown={(event) => start(event, index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onActivate={() => setActiveTab(tab.id)}
            onClick={leave}
            onMenu={(place) => openTabMenu(tab, place)}
            onClose={() => void close(tab.id).then(leave)}
            onStartRename={() => setRenaming(tab.id)}
            onRename={(name) => onRename(tab.id, name)}
          />
        ))}
      </div>
      {dragging && <DraggedTab name={tabs[dragging.from]?.name ?? ''} at={dragging.at} />}
      <StripButtons tabs={tabs} activeTabId={activeTabId} add={add} onChosen={choose} />
    </div>
  )
}

/** What the hand holds, so that it is seen away from the strip too. */
function DraggedTab({ name, at: { x, y } }: { name: string; at: { x: number; y: number } }) {
  return (
    <span className="draggedTab" aria-hidden="true" style={{ translate: `${x}px ${y}px` }}>
      {displayText(name)}
    </span>
  )
}

/** Where tabs will be. */
function TabSkeleton({ count }: { count: number }) {
  return Array.from({ length: Math.min(count, MAX_SKELETONS) }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <span key={index} className="tab skeleton" role="presentation" />
  ))
}

const MAX_SKELETONS = 12
const TAB_ACTIONS: ActionId[][] = [
  ['renameTerminal', 'moveTabLeft', 'moveTabRight', 'moveToSession'],
  ['splitRight', 'splitDown', 'unsplit'],
  ['closeTerminal', 'closeOthers', 'reopenClosed']
]

/** Opened when the tab it is about has become the active one, which is what the actions mean. */
function openTabMenu({ name }: TerminalSession, { x, y }: { x: number; y: number }): void {
  requestAnimationFrame(() =>
    openMenu({ label: strings.tabMenu(displayText(name)), x, y, items: actionItems(TAB_ACTIONS) })
  )
}

function useStripKeys(strip: RefObject<HTMLElement | null>, props: TabStripProps) {
  const { terminals, setRenaming, close, drops, leave } = props
  const { tabs, setActiveTab } = terminals
  return (event: KeyboardEvent, index: number) => {
    const command = stripCommand(event, { index, count: tabs.length })
    if (!command) return
    event.preventDefault()
    const id = tabs['to' in command ? command.to : index]?.id
    if (command.do === 'move') drops.onMove(index, command.to)
    else if (command.do === 'leave') leave()
    else if (id === undefined) return
    else if (command.do === 'close') {
      const next = neighbourOf(tabs, id)
      // The tab that had the focus is gone with the next drawing; the strip keeps it.
      void close(id).then(() => requestAnimationFrame(() => next !== null && tabElement(strip, next)?.focus()))
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
