import { join } from 'node:path'
import { homeOf } from '../agentClients'
import { withClaudeCodeHooks } from './claudeCodeHooks'
import { withCodexHooks } from './codexHooks'
import { withOpencodeHooks } from './opencodeHooks'

/** A client whose own hooks can tell how its agent stands. */
export interface HookClient {
  /** As `tandem hook` knows it. */
  id: string
  title: string
  program: string
  /** The folder of its settings: where it is, the client is. */
  folder(environment: NodeJS.ProcessEnv): string
  /** The file in that folder that names the hooks. */
  file: string
  /** The file with hooks that run these words, or without ours. */
  change(text: string, words: readonly string[] | undefined): string
}

/** Every client that can be asked to tell, and how. Clients change often: what is known of their hooks stands in this folder alone. */
export const HOOK_CLIENTS: readonly HookClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    program: 'claude',
    folder: (environment) => environment.CLAUDE_CONFIG_DIR || join(homeOf(environment), '.claude'),
    file: 'settings.json',
    change: withClaudeCodeHooks
  },
  {
    id: 'codex',
    title: 'Codex',
    program: 'codex',
    folder: (environment) => environment.CODEX_HOME || join(homeOf(environment), '.codex'),
    file: 'config.toml',
    change: withCodexHooks
  },
  {
    id: 'opencode',
    title: 'opencode',
    program: 'opencode',
    folder: (environment) => join(environment.XDG_CONFIG_HOME || join(homeOf(environment), '.config'), 'opencode'),
    file: join('plugins', 'tandem.js'),
    change: withOpencodeHooks
  }
]
