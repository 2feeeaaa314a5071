import type { TerminalSession } from '../../../shared/terminal'
import { titleWithKeys } from '../actions/keyPlace'
import type { ControlOfTerminal } from '../hooks/useControl'
import { useActivity } from '../stores/activity'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { shortPath } from '../terminal/shortPath'
import type { ViewStatus } from '../terminal/terminalView'
import { ControlLine } from './ControlLine'
import { Icon } from './Icon'
import { Watchers } from './Watchers'

interface PaneHeaderProps {
  tab: TerminalSession
  status: ViewStatus
  /** Given when the pane shares the room with others. */
  zoom: { isZoomed: boolean; toggle(): void } | undefined
  control: ControlOfTerminal
  onClaimSize(): void
}

/** The line above a terminal: where it is, and the one thing that can be done about it now. */
export function PaneHeader({ tab, status, zoom, control, onClaimSize }: PaneHeaderProps) {
  const reported = useActivity(({ byId }) => byId[tab.id]?.cwd)
  const home = useWorkspaces(({ host }) => host?.homeProject)
  const cwd = displayText(reported ?? tab.cwd)
  const { title } = status
  return (
    <header className="paneHeader">
      {zoom && <strong>{displayText(tab.name)}</strong>}
      <span className="cwd" title={cwd}>
        <bdi>{shortPath(cwd, home)}</bdi>
      </span>
      {title !== '' && title !== tab.name && (
        <span className="title" title={title}>
          {title}
        </span>
      )}
      <span className="filler" />
      {tab.backend === 'pty' && <span title={strings.ptyHint}>{strings.pty}</span>}
      {status.sizedElsewhere && tab.state === 'running' && (
        <button type="button" onClick={onClaimSize} title={strings.useThisSize}>
          {strings.sizedElsewhere}
        </button>
      )}
      {tab.state === 'running' &&
        (control.keyboard.kind === 'free' ? <Watchers id={tab.id} /> : <ControlLine {...control} />)}
      {zoom && <ZoomButton {...zoom} />}
    </header>
  )
}

function ZoomButton({ isZoomed, toggle }: { isZoomed: boolean; toggle(): void }) {
  const label = isZoomed ? strings.panes.unzoom : strings.panes.zoom
  return (
    <button
      type="button"
      className="icon"
      aria-label={label}
      aria-pressed={isZoomed}
      title={titleWithKeys('zoomPane', label)}
      onClick={toggle}
    >
      <Icon name={isZoomed ? 'restore' : 'zoom'} />
    </button>
  )
}
