import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Era } from '../mcpClients'
import { bridgeIn } from '../stdioClients'
import type { World } from '../tandem'
import { until } from '../waiting'

export interface RawMessage {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

/** `tandem mcp`, spoken to line by line: every message is the test's own. */
export class RawBridge {
  readonly messages: RawMessage[] = []
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #era: Era
  #lastId = 0
  #rest = ''

  private constructor(world: World, era: Era) {
    const { command, args, cwd } = bridgeIn(world)
    this.#era = era
    this.#child = spawn(command, args, { cwd, env: world.environment, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk.toString()))
  }

  static async start(world: World, era: Era): Promise<RawBridge> {
    const bridge = new RawBridge(world, era)
    if (era === '2026') return bridge
    const clientInfo = { name: 'raw', version: '1' }
    await bridge.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    bridge.notify('notifications/initialized')
    return bridge
  }

  /** Sends a request and returns its id. */
  send(method: string, params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}): number {
    const id = ++this.#lastId
    const said = { ...(this.#era === '2026' ? MODERN : {}), ...meta }
    this.#write({ id, method, params: { ...params, ...(Object.keys(said).length > 0 ? { _meta: said } : {}) } })
    return id
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<RawMessage> {
    return this.answer(this.send(method, params))
  }

  answer(id: number): Promise<RawMessage> {
    return until(() => this.messages.find((message) => message.id === id), { what: `the answer to ${id}` })
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.#write({ method, params })
  }

  /** Notifications of this kind, oldest first. */
  told(method: string): RawMessage[] {
    return this.messages.filter((message) => message.method === method)
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.stdin.end()
    await ended
  }

  #write(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    // What is not JSON fails the test that reads it.
    for (const line of lines) this.messages.push(JSON.parse(line) as RawMessage)
  }
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' }
}
