import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectMcp, type Era, type McpAnswer, type McpClient } from './mcpClients'
import { makeWorld, Tandem, type World } from './tandem'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof SHELLS)[number]

/** What an execute_* answer holds, as far as tests look. */
export interface Answer {
  output: string
  exit_code: number | null
  duration_ms: number
  cwd: string
  timed_out: boolean
  running: boolean
  next_index: number
  command_id: string
  omitted: number
  closed: boolean
  signal?: string
  needs_person?: boolean
}

export interface Reading {
  chunks: { index: number; data: string; encoding: string }[]
  next_index: number
  dropped: number
  dropped_exact: boolean
  closed: boolean
  exit_code: number | null
  running: boolean
  command?: { command_id: string; running: boolean; exit_code: number | null; duration_ms: number | null }
}

/** A host of its own and an agent that runs commands in it through MCP. */
export class AgentShell {
  private constructor(
    readonly world: World,
    public tandem: Tandem,
    public client: McpClient
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}, era: Era = '2026'): Promise<AgentShell> {
    const world = makeWorld(environment)
    // Without one zsh asks a new user what to put there.
    writeFileSync(join(world.home, '.zshrc'), "PS1='%% '\n")
    // Without it every new fish reads all manual pages of the system in the background.
    mkdirSync(join(world.home, '.local/share/fish/generated_completions'), { recursive: true })
    const tandem = await Tandem.start(world)
    return new AgentShell(world, tandem, await AgentShell.connect(tandem, era))
  }

  static connect(tandem: Tandem, era: Era = '2026', clientName = 'agent'): Promise<McpClient> {
    const { mcpUrl, token } = tandem.ready
    return connectMcp(era, { url: mcpUrl, token, clientName })
  }

  async stop(): Promise<void> {
    await this.client.close()
    await this.tandem.end('SIGTERM')
    await this.world.remove()
  }

  /** The host is killed in the middle of whatever it does; `away` happens before the next one starts. */
  async crash(away: () => unknown = () => undefined): Promise<void> {
    await this.tandem.end('SIGKILL')
    await this.client.close().catch(() => undefined)
    await away()
    this.tandem = await Tandem.start(this.world)
    this.client = await AgentShell.connect(this.tandem)
  }

  async open(shell?: string, more: Record<string, unknown> = {}): Promise<string> {
    const given = shell === undefined ? {} : { shell }
    const { terminal_id } = await this.call('open_new_terminal', { project: this.world.project, ...given, ...more })
    return String(terminal_id)
  }

  async run(terminal: string, command: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return (await this.call('execute_shell', { terminal_id: terminal, command, ...more })) as unknown as Answer
  }

  async read(terminal: string, more: Record<string, unknown> = {}): Promise<Reading> {
    return (await this.call('read_terminal_output', { terminal_id: terminal, ...more })) as unknown as Reading
  }

  /** The structured answer; a refusal is thrown as its text. */
  async call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await this.client.call(name, args)
    if (answer.isError || !answer.structuredContent) throw new Error(textOf(answer))
    return answer.structuredContent
  }

  async refusal(name: string, args: Record<string, unknown>): Promise<string> {
    const answer = await this.client.call(name, args)
    if (!answer.isError) throw new Error(`not refused: ${textOf(answer)}`)
    return textOf(answer)
  }
}

function textOf({ content }: McpAnswer): string {
  return content.map(({ text }) => text ?? '').join('\n')
}
