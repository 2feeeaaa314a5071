import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { TerminalSession } from '../../../shared/terminal'
import { useActivity, useMark } from '../stores/activity'
import { useAgentIdentity } from '../stores/agents'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'
import { RenameField } from './RenameField'
import { StateMark } from './StateMark'

interface TabProps {
  tab: TerminalSession
  active: boolean
  /** On the screen together with the active one. */
  shown: boolean
  renaming: boolean
  dragged: boolean
  /** Where the dragged tab would land beside this one. */
  gap: 'before' | 'after' | undefined
  onPointerDown(event: PointerEvent): void
  onKeyDown(event: KeyboardEvent): void
  onActivate(): void
  /** A click, unlike the arrow keys, means that the person wants to be in the terminal. */
  onClick(): void
  /** A menu is wanted at this point of the page. */
  onMenu(place: { x: number; y: number }): void
  onClose(): void
  onStartRename(): void
  /** With a name: rename; without: the person changed their mind. */
  onRename(name: string | undefined): void
}

/** One terminal's tab: its state, its name, and the button that closes it. */
export function Tab(props: TabProps) {
  const { tab, active, shown, renaming, dragged, gap } = props
  const name = displayText(tab.name)
  const mark = useMark(tab)
  const { typist, state } = useTypist(tab, strings.state[mark])
  const classes = ['tab', active && 'active', shown && 'shown', dragged && 'dragged', gap && `gap-${gap}`]
    .filter(Boolean)
    .join(' ')
  const middleClick = (event: MouseEvent) => {
    if (event.button === 1) props.onClose()
  }
  const menu = (event: MouseEvent) => {
    event.preventDefault()
    props.onActivate()
    // Opened by key it has no point of its own.
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    props.onMenu(event.clientX === 0 ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tab inside it has the keys for the same
    <div className={classes} role="presentation" onAuxClick={middleClick} onContextMenu={menu}>
      <div
        role="tab"
        data-tab={tab.id}
        id={`tab-${tab.id}`}
        aria-controls={active ? `panel-${tab.id}` : undefined}
        aria-label={name}
        aria-selected={active}
        aria-description={state}
        tabIndex={active ? 0 : -1}
        title={strings.tabTooltip(name, displayText(tab.cwd), state)}
        className={renaming ? 'label renaming' : 'label'}
        onPointerDown={renaming ? undefined : props.onPointerDown}
        onClick={() => {
          props.onActivate()
          props.onClick()
        }}
        onDoubleClick={props.onStartRename}
        onKeyDown={renaming ? undefined : props.onKeyDown}
      >
        <StateMark mark={mark} />
        <span className="name">{name}</span>
        {typist !== undefined && <AgentChip name={typist} />}
      </div>
      {renaming && <RenameField name={tab.name} onDone={props.onRename} />}
      {!renaming && <CloseButton name={name} onClose={props.onClose} />}
    </div>
  )
}

/** The agent that types in a terminal now, and the terminal's state in words with it. */
function useTypist({ id }: TerminalSession, state: string): { typist: string | undefined; state: string } {
  const holder = useActivity(({ byId }) => byId[id]?.holder)
  const typist = holder?.kind === 'agent' ? holder.name : undefined
  const { title } = useAgentIdentity(typist ?? '')
  return { typist, state: typist === undefined ? state : strings.control.tabTyping(state, displayText(title)) }
}

// A list of tabs holds tabs alone for those who hear it: they close one with Delete, or by its menu.
function CloseButton({ name, onClose }: { name: string; onClose(): void }) {
  return (
    <button
      type="button"
      className="close"
      tabIndex={-1}
      aria-hidden="true"
      title={strings.closeNamed(name)}
      onClick={onClose}
    >
      <Icon name="close" />
    </button>
  )
}
