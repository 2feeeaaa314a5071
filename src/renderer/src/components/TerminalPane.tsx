import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { runAction, useActionHandlers } from '../actions/registry'
import { useCommandMarks } from '../hooks/useCommandMarks'
import { type ControlOfTerminal, useControl } from '../hooks/useControl'
import type { FocusRequest } from '../hooks/useFocusRequest'
import type { Rectangle } from '../panes/layout'
import { useAgentIdentity } from '../stores/agents'
import { useConnection } from '../stores/connection'
import { keepScreen } from '../stores/lastScreens'
import { showNotice } from '../stores/toasts'
import { forgetViewStatus, putViewStatus, useViewStatus } from '../stores/viewStatuses'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { displayText } from '../terminal/displayText'
import { TerminalView } from '../terminal/terminalView'
import { EndLine } from './EndLine'
import { FindBar } from './FindBar'
import { LastScreen } from './LastScreen'
import { PaneHeader } from './PaneHeader'

interface TerminalPaneProps {
  workspace: WorkspaceKey
  tab: TerminalSession
  /** Where it is shown; undefined: it is hidden. */
  rectangle: Rectangle | undefined
  active: boolean
  zoom: { isZoomed: boolean; toggle(): void } | undefined
  wantsFocus: FocusRequest
  onActivate(): void
  onStartNew(): void
  onStartAgain(): void
  onClose(): void
}

/** One terminal on the page. Hidden ones stay connected, so that going back to them shows them at once. */
export function TerminalPane(props: TerminalPaneProps) {
  const { workspace, tab, rectangle, active, zoom, wantsFocus, onActivate } = props
  const host = useRef<HTMLDivElement>(null)
  const status = useViewStatus(tab.tmuxSession)
  const view = useTerminalView(host, tab.tmuxSession)
  const control = useControl(workspace, tab.id)
  const jump = (direction: 'previous' | 'next') => (active ? () => view.current?.commands.jump(direction) : undefined)
  useActionHandlers({
    takeControl: active && tab.state === 'running' ? control.toggle : undefined,
    previousCommand: jump('previous'),
    nextCommand: jump('next')
  })
  const keyboard = useKeyboardClass(tab, control)
  const online = useConnection(({ state }) => state === 'connected')
  const visible = rectangle !== undefined
  useEffect(() => view.current?.setOnline(online), [view, online])
  useEffect(() => view.current?.setVisible(visible), [view, visible])
  useEffect(
    () => (visible ? keepScreen(tab.tmuxSession, () => view.current?.screenText() ?? '') : undefined),
    [view, visible, tab.tmuxSession]
  )
  useCommandMarks(view, tab, visible && status.link !== 'connecting')
  const isAgentTyping = keyboard?.startsWith('agent') ?? false
  useEffect(() => view.current?.setAgentTyping(isAgentTyping), [view, isAgentTyping])
  useEffect(() => {
    if (visible && active && wantsFocus.take()) view.current?.focus()
  })
  const isOver = tab.state === 'exited' || tab.state === 'lost'
  const frozen = !online || status.link === 'broken' || status.link === 'retrying'
  return (
    <section
      className={classNames('terminalPane', active && zoom && 'focused', zoom?.isZoomed && 'zoomed', keyboard)}
      role="tabpanel"
      id={`panel-${tab.id}`}
      aria-label={strings.terminalLabel(displayText(tab.name))}
      hidden={!visible}
      style={rectangle && percentages(rectangle)}
      onFocus={active ? undefined : onActivate}
      // Before the emulator, which keeps the keys of an ended terminal to itself.
      onKeyDownCapture={isOver ? (event) => restartByEnter(event, host.current, props.onStartAgain) : undefined}
    >
      <PaneHeader {...{ tab, status, zoom, control }} onClaimSize={() => view.current?.claimSize()} />
      <div className={frozen ? 'screen frozen' : 'screen'} data-link={status.link}>
        <div className="xtermHost" ref={host} />
        {status.link === 'connecting' && <LastScreen tmuxSession={tab.tmuxSession} />}
        {active && visible && <FindBar view={view} />}
      </div>
      <EndLine {...props} onCopy={() => void copyOutput(view.current)} onRead={() => readAsText(view.current)} />
    </section>
  )
}

function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** Edge and ring of the pane; the agent's colour where it types. */
function useKeyboardClass({ state }: TerminalSession, { keyboard }: ControlOfTerminal): string | undefined {
  const { hue } = useAgentIdentity(keyboard.kind === 'agent' ? keyboard.agent.name : '')
  if (state !== 'running' || keyboard.kind === 'free') return undefined
  return keyboard.kind === 'agent' ? `agent hue${hue}` : keyboard.kind
}

async function copyOutput(view: TerminalView | undefined): Promise<void> {
  if (view && (await copyText(view.text()))) showNotice(strings.ended.copied)
}

/** The text is that of the terminal that has the keyboard. */
function readAsText(view: TerminalView | undefined): void {
  view?.focus()
  runAction('readAsText')
}

/** Enter in the terminal itself; one that is held from before the end does not count. */
function restartByEnter(event: KeyboardEvent, screen: HTMLElement | null, restart: () => void): void {
  const { key, target, repeat, ctrlKey, shiftKey, altKey, metaKey, nativeEvent } = event
  const isPlain = key === 'Enter' && !ctrlKey && !shiftKey && !altKey && !metaKey && !nativeEvent.isComposing
  if (!isPlain || repeat || !screen?.contains(target as Node)) return
  event.preventDefault()
  event.stopPropagation()
  restart()
}

function percentages({ left, top, width, height }: Rectangle) {
  return { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
}

function useTerminalView(
  host: React.RefObject<HTMLDivElement | null>,
  tmuxSession: string
): React.RefObject<TerminalView | undefined> {
  const view = useRef<TerminalView>(undefined)
  useEffect(() => {
    if (!host.current) return
    const onStatus = (status: Parameters<typeof putViewStatus>[1]) => putViewStatus(tmuxSession, status)
    const opened = new TerminalView(host.current, { tmuxSession, onStatus })
    view.current = opened
    return () => {
      opened.dispose()
      forgetViewStatus(tmuxSession)
    }
  }, [host, tmuxSession])
  return view
}
