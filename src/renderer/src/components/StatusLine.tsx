import type { TerminalSession } from '../../../shared/terminal'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import type { ViewStatus } from '../terminal/terminalView'

interface StatusLineProps {
  tab: TerminalSession
  status: ViewStatus
  onClaimSize(): void
}

/** Where the terminal is and what it runs, in one quiet line. */
export function StatusLine({ tab, status, onClaimSize }: StatusLineProps) {
  const { size, sizedElsewhere, title } = status
  const cwd = displayText(tab.cwd)
  return (
    <footer className="statusLine">
      <span className="cwd" title={cwd}>
        <bdi>{cwd}</bdi>
      </span>
      {title !== '' && title !== tab.name && (
        <span className="title" title={title}>
          {title}
        </span>
      )}
      <span className="filler" />
      {tab.backend === 'pty' && <span title={strings.ptyHint}>{strings.pty}</span>}
      {sizedElsewhere && tab.state === 'running' && (
        <button type="button" onClick={onClaimSize} title={strings.useThisSize}>
          {strings.sizedElsewhere}
        </button>
      )}
      {size && <span className="size">{strings.size(size.cols, size.rows)}</span>}
    </footer>
  )
}
