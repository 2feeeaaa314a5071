import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { TerminalSession } from '../../../shared/terminal'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'
import { RenameField } from './RenameField'
import { StateMark } from './StateMark'

interface TabProps {
  tab: TerminalSession
  active: boolean
  renaming: boolean
  dragged: boolean
  /** Where the dragged tab would land beside this one. */
  gap: 'before' | 'after' | undefined
  onPointerDown(event: PointerEvent): void
  onKeyDown(event: KeyboardEvent): void
  onActivate(): void
  /** A click, unlike the arrow keys, means that the person wants to be in the terminal. */
  onClick(): void
  onClose(): void
  onStartRename(): void
  /** With a name: rename; without: the person changed their mind. */
  onRename(name: string | undefined): void
}

/** One terminal's tab: its state, its name, and the button that closes it. */
export function Tab(props: TabProps) {
  const { tab, active, renaming, dragged, gap } = props
  const name = displayText(tab.name)
  const classes = ['tab', active && 'active', dragged && 'dragged', gap && `gap-${gap}`].filter(Boolean).join(' ')
  const middleClick = (event: MouseEvent) => {
    if (event.button === 1) props.onClose()
  }
  return (
    <div className={classes} role="presentation" onAuxClick={middleClick}>
      <div
        role="tab"
        data-tab={tab.id}
        id={`tab-${tab.id}`}
        aria-controls={active ? `panel-${tab.id}` : undefined}
        aria-label={name}
        aria-selected={active}
        aria-description={strings.state[tab.state]}
        tabIndex={active ? 0 : -1}
        title={strings.tabTooltip(name, displayText(tab.cwd))}
        className={renaming ? 'label renaming' : 'label'}
        onPointerDown={(event) => {
          if (event.button === 0 && !active) props.onActivate()
          if (!renaming) props.onPointerDown(event)
        }}
        onClick={() => {
          props.onActivate()
          props.onClick()
        }}
        onDoubleClick={props.onStartRename}
        onKeyDown={renaming ? undefined : props.onKeyDown}
      >
        <StateMark state={tab.state} />
        <span className="name">{name}</span>
      </div>
      {renaming && <RenameField name={tab.name} onDone={props.onRename} />}
      {!renaming && <CloseButton name={name} onClose={props.onClose} />}
    </div>
  )
}

function CloseButton({ name, onClose }: { name: string; onClose(): void }) {
  return (
    <button
      type="button"
      className="close"
      tabIndex={-1}
      aria-label={strings.closeNamed(name)}
      title={strings.closeTerminal}
      onClick={onClose}
    >
      <Icon name="close" />
    </button>
  )
}
