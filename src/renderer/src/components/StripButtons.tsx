import type { MouseEvent } from 'react'
import type { TerminalId, TerminalSession } from '../../../shared/terminal'
import { actionItems } from '../actions/actionItems'
import { titleWithKeys } from '../actions/keyPlace'
import { markOf, useActivity } from '../stores/activity'
import { type MenuItem, openMenu } from '../stores/menu'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'
import { NewTerminalButton } from './NewTerminalButton'
import { StateMark } from './StateMark'

interface StripButtonsProps {
  tabs: TerminalSession[]
  activeTabId: TerminalId | null
  add(): Promise<void>
  onChosen(id: TerminalId): void
}

/** Behind the tabs: a new one, all of them as a list, and splitting. */
export function StripButtons({ tabs, activeTabId, add, onChosen }: StripButtonsProps) {
  const list = () =>
    tabs.map((tab) => ({
      id: tab.id,
      title: displayText(tab.name),
      ...stateOf(tab),
      isCurrent: tab.id === activeTabId,
      choose: () => onChosen(tab.id)
    }))
  const splits = () =>
    actionItems([
      ['splitRight', 'splitDown'],
      ['zoomPane', 'unsplit']
    ])
  return (
    <div className="stripButtons">
      <NewTerminalButton add={add} />
      {tabs.length > 0 && (
        <>
          <MenuButton label={strings.allTerminals} icon="list" items={list} />
          <MenuButton
            label={strings.panes.split}
            title={titleWithKeys('splitRight', strings.panes.split)}
            icon="split"
            items={splits}
          />
        </>
      )}
    </div>
  )
}

/** What a tab would show of a terminal: its state, and which agent types in it. */
function stateOf(tab: TerminalSession): Pick<MenuItem, 'mark' | 'state'> {
  const { byId, seen } = useActivity.getState()
  const mark = markOf(tab, byId[tab.id], seen[tab.id])
  const holder = byId[tab.id]?.holder
  return {
    mark: (
      <>
        <StateMark mark={mark} />
        {holder?.kind === 'agent' && <AgentChip name={holder.name} />}
      </>
    ),
    state: strings.state[mark]
  }
}

interface MenuButtonProps {
  label: string
  title?: string
  icon: 'list' | 'split'
  /** Asked when it opens: what can be done changes. */
  items(): MenuItem[]
}

function MenuButton({ label, title = label, icon, items }: MenuButtonProps) {
  const open = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    openMenu({ label, x: left, y: bottom + 4, items: items() })
  }
  return (
    <button type="button" className="iconButton" aria-label={label} title={title} aria-haspopup="menu" onClick={open}>
      <Icon name={icon} />
    </button>
  )
}
