import { shortcutText, titleWithKeys } from '../actions/keyPlace'
import { runAction } from '../actions/registry'
import { useMedia } from '../hooks/useMedia'
import { NARROW, useSidebar } from '../stores/sidebar'
import { canGo, useVisits } from '../stores/visits'
import { useWaiting } from '../stores/waiting'
import { folderName } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { ActivityButton } from './ActivityPanel'
import { Icon } from './Icon'
import { StateMark } from './StateMark'

const text = strings.titleBar

/** The window's first line: where one is, the way to everything, and how many terminals wait. */
export function TitleBar() {
  return (
    <header className="titleBar">
      <SidebarButton />
      <VisitButtons />
      <Place />
      <button
        type="button"
        className="searchButton"
        title={titleWithKeys('palette')}
        onClick={() => runAction('palette')}
      >
        <Icon name="search" />
        <span>{text.search}</span>
        <kbd>{shortcutText('palette')}</kbd>
      </button>
      <span className="end">
        <NeedsYou />
        <ActivityButton />
      </span>
    </header>
  )
}

function SidebarButton() {
  const { isDrawerOpen, isRail } = useSidebar()
  const isNarrow = useMedia(NARROW)
  const isShown = isNarrow ? isDrawerOpen : !isRail
  const label = isShown ? strings.hideSidebar : strings.showSidebar
  return (
    <button
      type="button"
      className="iconButton"
      aria-expanded={isShown}
      aria-label={label}
      title={titleWithKeys('sidebar', label)}
      onClick={() => runAction('sidebar')}
    >
      <Icon name="sidebar" />
    </button>
  )
}

function VisitButtons() {
  const visits = useVisits()
  return (
    <span className="visits">
      {(['goBack', 'goForward'] as const).map((action) => (
        <button
          key={action}
          type="button"
          className="iconButton"
          aria-label={text[action]}
          title={titleWithKeys(action)}
          disabled={!canGo(visits, action === 'goBack' ? -1 : 1)}
          onClick={() => runAction(action)}
        >
          <Icon name={action === 'goBack' ? 'back' : 'forward'} />
        </button>
      ))}
    </span>
  )
}

function Place() {
  const chosen = useWorkspaces((state) => state.chosen)
  if (!chosen) return <h1 className="place">{strings.appName}</h1>
  return (
    <h1 className="place" title={strings.workspaceTooltip(chosen.project, chosen.session)}>
      <span>{displayText(folderName(chosen.project))}</span>
      <span aria-hidden="true"> / </span>
      <strong>{displayText(chosen.session)}</strong>
    </h1>
  )
}

function NeedsYou() {
  const count = useWaiting(({ terminals }) => terminals.length)
  if (count === 0) return null
  return (
    <button
      type="button"
      className="needsYouButton"
      title={titleWithKeys('nextNeedsMe')}
      onClick={() => runAction('nextNeedsMe')}
    >
      <StateMark mark="needsYou" />
      {text.needYou(count)}
    </button>
  )
}
