import { useEffect, useRef, useState } from 'react'
import type { TerminalSession } from '../../../shared/terminal'
import type { FocusRequest } from '../hooks/useFocusRequest'
import { useConnection } from '../stores/connection'
import { showError } from '../stores/toasts'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { TerminalView, type ViewStatus } from '../terminal/terminalView'
import { EndLine } from './EndLine'
import { StatusLine } from './StatusLine'

interface TerminalPaneProps {
  tab: TerminalSession
  visible: boolean
  wantsFocus: FocusRequest
  onStartNew(): void
  onStartAgain(): void
  onClose(): void
}

const STARTING: ViewStatus = { link: 'connecting', size: undefined, sizedElsewhere: false, title: '' }

/** One terminal filling the page. Hidden ones stay connected, so that going back to them shows them at once. */
export function TerminalPane({ tab, visible, wantsFocus, ...actions }: TerminalPaneProps) {
  const host = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState(STARTING)
  const view = useTerminalView(host, { tmuxSession: tab.tmuxSession, setStatus })
  const online = useConnection(({ state }) => state === 'connected')
  useEffect(() => view.current?.setOnline(online), [view, online])
  useEffect(() => view.current?.setVisible(visible), [view, visible])
  useEffect(() => {
    if (visible && wantsFocus.take()) view.current?.focus()
  })
  const frozen = !online || status.link === 'broken'
  return (
    <section
      className="terminalPane"
      role="tabpanel"
      id={`panel-${tab.id}`}
      aria-label={strings.terminalLabel(displayText(tab.name))}
      hidden={!visible}
    >
      <div className={frozen ? 'screen frozen' : 'screen'} data-link={status.link}>
        <div className="xtermHost" ref={host} />
      </div>
      <EndLine tab={tab} {...actions} />
      <StatusLine tab={tab} status={status} onClaimSize={() => view.current?.claimSize()} />
    </section>
  )
}

function useTerminalView(
  host: React.RefObject<HTMLDivElement | null>,
  { tmuxSession, setStatus }: { tmuxSession: string; setStatus(status: ViewStatus): void }
): React.RefObject<TerminalView | undefined> {
  const view = useRef<TerminalView>(undefined)
  useEffect(() => {
    if (!host.current) return
    const opened = new TerminalView(host.current, { tmuxSession, onStatus: setStatus, onRefusedLink })
    view.current = opened
    return () => opened.dispose()
  }, [host, tmuxSession, setStatus])
  return view
}

function onRefusedLink(address: string): void {
  const { refusedLink, refusedLinkHint } = strings.errors
  showError({ code: 'INVALID_ARGUMENTS', message: refusedLink(displayText(address)), hint: refusedLinkHint })
}
