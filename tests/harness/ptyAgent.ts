import { connectMcp, type Era, type McpAnswer, type McpClient } from './mcpClients'
import type { Tandem } from './tandem'
import { until } from './waiting'

export const BACKENDS = ['tmux', 'pty'] as const

export interface ReadResult {
  content: string
  lines: number
  cursor: { row: number; col: number } | number | null
  has_new_content: boolean
  prompt_detected: boolean
  prompt_source: string | null
  idle: boolean
  fired: string | null
  timed_out: boolean
  exited: boolean
  exit_code: number | null
  signal: string | null
  needs_person: boolean
  omitted: number
  alternate_screen: boolean
  encoding?: string
  dropped?: number
  total_lines?: number
  revision?: number
  changed?: { row: number; text: string }[]
}

export type Facts = Record<string, unknown>

/** An agent that drives terminals through MCP over HTTP, as any client would. */
export class PtyAgent {
  readonly #client: McpClient

  private constructor(client: McpClient) {
    this.#client = client
  }

  static async connect(tandem: Tandem, { name = 'agent', era = '2026' as Era } = {}): Promise<PtyAgent> {
    const { mcpUrl, token } = tandem.ready
    return new PtyAgent(await connectMcp(era, { url: mcpUrl, token, clientName: name }))
  }

  answer(tool: string, args: Facts = {}): Promise<McpAnswer> {
    return this.#client.call(`terminal__${tool}`, args)
  }

  async call(tool: string, args: Facts = {}): Promise<Facts> {
    const { isError, content, structuredContent } = await this.answer(tool, args)
    if (isError || !structuredContent) throw new Error(content[0]?.text ?? `${tool} answered nothing`)
    return structuredContent
  }

  /** The code of the refusal that a call is answered with. */
  async refusal(tool: string, args: Facts = {}): Promise<string> {
    const { isError, content, structuredContent } = await this.answer(tool, args)
    if (!isError || structuredContent) throw new Error(`${tool} was not refused: ${content[0]?.text}`)
    return content[0]?.text ?? ''
  }

  async create(args: Facts = {}): Promise<string> {
    return String((await this.call('create_session', { ready_timeout_ms: 45_000, ...args })).session_id)
  }

  async read(session_id: string, args: Facts = {}): Promise<ReadResult> {
    return (await this.call('read', { session_id, ...args })) as unknown as ReadResult
  }

  /** Sends and reads in one call. */
  async send(session_id: string, args: Facts, read?: Facts): Promise<ReadResult> {
    const sent = await this.call('send', { session_id, ...args, ...(read ? { read } : {}) })
    return sent.read_result as ReadResult
  }

  /** A command, until the prompt is back. */
  run(session_id: string, command: string): Promise<ReadResult> {
    return this.send(session_id, { text: `${command}\n` }, { wait_for_prompt: true, timeout_ms: 45_000 })
  }

  /** The screen once it shows `pattern`; programs take their time on a busy machine. */
  async shows(session_id: string, pattern: string, limitMs = 60_000): Promise<ReadResult> {
    return until(
      async () => {
        const seen = await this.read(session_id, { view: 'screen', wait_for: pattern, timeout_ms: 10_000 })
        if (seen.exited && !new RegExp(pattern, 'm').test(seen.content)) throw new Error(`ended: ${seen.content}`)
        return seen.fired === 'match' ? seen : undefined
      },
      { what: `the screen to show ${pattern}`, limitMs }
    )
  }

  /** A key, then the screen once it shows `pattern`. */
  async press(session_id: string, key: string | Facts, pattern: string): Promise<ReadResult> {
    await this.call('send', { session_id, ...(typeof key === 'string' ? { key } : key) })
    return this.shows(session_id, pattern)
  }

  /** Waits for the end of the program. */
  async exits(session_id: string): Promise<ReadResult> {
    return until(
      async () => {
        const seen = await this.read(session_id, { view: 'screen', wait_for_exit: true, timeout_ms: 20_000 })
        return seen.exited ? seen : undefined
      },
      { what: 'the exit', limitMs: 60_000 }
    )
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
