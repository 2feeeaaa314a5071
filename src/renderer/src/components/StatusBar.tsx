import type { TerminalSession } from '../../../shared/terminal'
import { titleWithKeys } from '../actions/keyPlace'
import { runAction } from '../actions/registry'
import { durationText } from '../durationText'
import { useActivity } from '../stores/activity'
import { useAgentCount } from '../stores/connectedAgents'
import { useConnection } from '../stores/connection'
import { useTerminals } from '../stores/terminals'
import { useViewStatus } from '../stores/viewStatuses'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'

const text = strings.statusBar

/** The window's last line: whether agents can come in, and what the active terminal is. */
export function StatusBar() {
  const tab = useActiveTab()
  const connected = useConnection(({ state }) => state === 'connected')
  const agents = useAgentCount()
  return (
    <footer className="statusLine">
      <span className={connected ? 'door open' : 'door'} title={text.mcpHint(`${location.origin}/mcp`)}>
        {connected ? text.mcp(location.host) : text.offline}
        {connected && agents > 0 && text.agents(agents)}
      </span>
      {tab && <TerminalFacts tab={tab} />}
      <span className="filler" />
      {tab && <LastCommand tab={tab} />}
      {tab && <span className="access">{connected && tab.state === 'running' ? text.readWrite : text.readOnly}</span>}
      <button
        type="button"
        aria-label={strings.settings.title}
        title={titleWithKeys('settings')}
        onClick={() => runAction('settings')}
      >
        <Icon name="settings" />
      </button>
    </footer>
  )
}

function useActiveTab(): TerminalSession | undefined {
  const chosen = useWorkspaces((state) => state.chosen)
  return useTerminals(({ byWorkspace }) => {
    const shown = chosen && byWorkspace[workspaceId(chosen)]
    return shown?.tabs.find(({ id }) => id === shown.activeTabId)
  })
}

function TerminalFacts({ tab }: { tab: TerminalSession }) {
  const { size } = useViewStatus(tab.tmuxSession)
  const program = displayText(tab.program.split(' ', 1)[0]?.split('/').at(-1) ?? '')
  return (
    <>
      <span className="program" title={displayText(tab.program)}>
        {program}
      </span>
      {size && <span className="size">{strings.size(size.cols, size.rows)}</span>}
      <span className="encoding">{text.encoding}</span>
    </>
  )
}

/** How the terminal itself ended; while it runs, how its last command did. */
function LastCommand({ tab }: { tab: TerminalSession }) {
  const exitCode = useActivity(({ byId }) => byId[tab.id]?.lastExitCode ?? null)
  const durationMs = useActivity(({ byId }) => byId[tab.id]?.lastDurationMs ?? null)
  if (tab.state !== 'running') {
    return <span>{tab.exitCode === null ? strings.state[tab.state] : text.exit(tab.exitCode)}</span>
  }
  if (exitCode === null) return null
  const said = text.exit(exitCode)
  return (
    <span className={exitCode === 0 ? 'lastCommand' : 'lastCommand failed'} title={text.lastCommand}>
      {durationMs === null ? said : text.exitAfter(said, durationText(durationMs))}
    </span>
  )
}
