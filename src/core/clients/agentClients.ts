import { homedir } from 'node:os'
import { join } from 'node:path'

/** The program and words that start a bridge. */
export interface BridgeCommand {
  command: string
  args: readonly string[]
}

export interface AgentClient {
  id: string
  title: string
  /** Its own command line, when it has one that can add a server. */
  program?: string
  /** Started from a desktop, where PATH is not the person's own: programs are named by their full path. */
  isDesktop: boolean
  configPath(environment: NodeJS.ProcessEnv): string
  format: 'json' | 'toml'
  /** Under which key of the file its servers stand. */
  key: string
  entry(bridge: BridgeCommand): Record<string, unknown>
  /** Words for its own command line. */
  add?(name: string, bridge: BridgeCommand): string[]
  remove?(name: string): string[]
}

export const SERVER_NAME = 'tandem'

const plain = ({ command, args }: BridgeCommand) => ({ command, args: [...args] })
const typed = (bridge: BridgeCommand) => ({ type: 'stdio', ...plain(bridge) })

export const CLAUDE_CODE = {
  id: 'claude-code',
  title: 'Claude Code',
  program: 'claude',
  isDesktop: false,
  configPath: (environment) => join(environment.CLAUDE_CONFIG_DIR || homeOf(environment), '.claude.json'),
  format: 'json',
  key: 'mcpServers',
  entry: typed,
  add: (name: string, { command, args }: BridgeCommand) => [
    'mcp',
    'add',
    '--scope',
    'user',
    name,
    '--',
    command,
    ...args
  ],
  remove: (name) => ['mcp', 'remove', '--scope', 'user', name]
} satisfies AgentClient

/** Every client that can be connected in one step, and how. Clients change often: what is known of them stands here alone. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  CLAUDE_CODE,
  {
    id: 'codex',
    title: 'Codex',
    program: 'codex',
    isDesktop: false,
    configPath: (environment) => join(environment.CODEX_HOME || join(homeOf(environment), '.codex'), 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    entry: plain,
    add: (name, { command, args }) => ['mcp', 'add', name, '--', command, ...args],
    remove: (name) => ['mcp', 'remove', name]
  },
  {
    id: 'cursor',
    title: 'Cursor',
    isDesktop: true,
    configPath: (environment) => join(homeOf(environment), '.cursor', 'mcp.json'),
    format: 'json',
    key: 'mcpServers',
    entry: plain
  },
  {
    id: 'vscode',
    title: 'VS Code',
    program: 'code',
    isDesktop: true,
    configPath: (environment) => join(desktopConfig(environment), 'Code', 'User', 'mcp.json'),
    format: 'json',
    key: 'servers',
    entry: typed,
    add: (name, bridge) => ['--add-mcp', JSON.stringify({ name, ...plain(bridge) })]
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    program: 'gemini',
    isDesktop: false,
    configPath: (environment) => join(homeOf(environment), '.gemini', 'settings.json'),
    format: 'json',
    key: 'mcpServers',
    entry: plain,
    add: (name, { command, args }) => {
      const flag = args.findIndex((word) => word.startsWith('-'))
      const words = flag === -1 ? args : [...args.slice(0, flag), '--', ...args.slice(flag)]
      return ['mcp', 'add', '--scope', 'user', name, command, ...words]
    },
    remove: (name) => ['mcp', 'remove', '--scope', 'user', name]
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    isDesktop: true,
    configPath: (environment) => join(desktopConfig(environment), 'Claude', 'claude_desktop_config.json'),
    format: 'json',
    key: 'mcpServers',
    entry: plain
  }
]

export function homeOf({ HOME }: NodeJS.ProcessEnv): string {
  return HOME || homedir()
}

function desktopConfig(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(homeOf(environment), 'Library', 'Application Support')
  return environment.XDG_CONFIG_HOME || join(homeOf(environment), '.config')
}
