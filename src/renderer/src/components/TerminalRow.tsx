import type { TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { goToType } from '../actions/goToTerminal'
import { useActivity, useMark } from '../stores/activity'
import { changeSidebar } from '../stores/sidebar'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { shortPath } from '../terminal/shortPath'
import { AgentChip } from './AgentChip'
import { StateMark } from './StateMark'

interface TerminalRowProps {
  workspace: WorkspaceKey
  tab: TerminalSession
  isCurrent: boolean
}

/** One terminal of a session: its state, its name, where it is, and the agent that used it last. */
export function TerminalRow({ workspace, tab, isCurrent }: TerminalRowProps) {
  const mark = useMark(tab)
  const home = useWorkspaces(({ host }) => host?.homeProject)
  const cwd = useActivity(({ byId }) => byId[tab.id]?.cwd) ?? tab.cwd
  const agent = useActivity(({ byId }) => byId[tab.id]?.agent?.name)
  const name = displayText(tab.name)
  const folder = cwd === workspace.project ? undefined : lastPart(shortPath(displayText(cwd), home))
  const choose = () => {
    goToType(workspace, tab.id)
    changeSidebar({ isDrawerOpen: false })
  }
  return (
    <li>
      <button
        type="button"
        className="terminalRow"
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={strings.terminalRow(name, strings.state[mark], folder)}
        title={strings.tabTooltip(name, displayText(cwd), strings.state[mark])}
        onClick={choose}
      >
        <StateMark mark={mark} />
        <span className="name">{name}</span>
        {/* Said where it is another folder than the session's; drawn, as the name of the button says it. */}
        {folder !== undefined && <span className="cwd" data-cwd={folder} />}
        {agent !== undefined && <AgentChip name={agent} />}
      </button>
    </li>
  )
}

function lastPart(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}
