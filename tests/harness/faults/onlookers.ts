import { WebSocket } from 'ws'
import type { UiMessage } from '../../../src/shared/ipc'
import { connectMcp, type McpClient } from '../mcpClients'
import type { Tandem } from '../tandem'
import { until } from '../waiting'
import type { Door } from './door'

/** Somebody who looks at the terminals of a workspace only when told that something changed. */
class Onlooker {
  #hasNews = false

  constructor(
    private readonly who: string,
    private readonly look: () => Promise<string[]>
  ) {}

  told(): void {
    this.#hasNews = true
  }

  /** The time at which all were found in this state. */
  async learns(state: string): Promise<number> {
    for (;;) {
      await until(() => this.#hasNews, { what: `${this.who} to be told of ${state}` })
      this.#hasNews = false
      const states = await this.look()
      if (states.length > 0 && states.every((one) => one === state)) return performance.now()
    }
  }
}

/** A window and an agent on one workspace. */
export class Onlookers {
  readonly #window: WebSocket
  readonly #agent: McpClient
  readonly #onlookers: readonly [Onlooker, Onlooker]

  private constructor(window: WebSocket, agent: McpClient, onlookers: readonly [Onlooker, Onlooker]) {
    this.#window = window
    this.#agent = agent
    this.#onlookers = onlookers
  }

  static async open(tandem: Tandem, door: Door): Promise<Onlookers> {
    const { mcpUrl: url, token } = tandem.ready
    const [window, agent] = [await openWindow(tandem), await connectMcp('2026', { url, token })]
    const person = new Onlooker('a window', async () => (await door.list()).map(({ state }) => state))
    window.on('message', (data) => {
      const message = JSON.parse(data.toString()) as UiMessage
      if ('event' in message && message.event === 'workspaceChanged') person.told()
    })
    const uri = `workspace://${encodeURIComponent(door.project)}/${encodeURIComponent(door.session)}`
    const reader = new Onlooker('an agent', () => statesIn(agent, uri))
    await agent.follow([uri], () => reader.told())
    return new Onlookers(window, agent, [person, reader])
  }

  /** When each of the two had learned that all terminals are in this state. */
  async learn(state: string): Promise<{ uiMs: number; agentMs: number }> {
    const [uiMs = 0, agentMs = 0] = await Promise.all(this.#onlookers.map((one) => one.learns(state)))
    return { uiMs, agentMs }
  }

  async close(): Promise<void> {
    this.#window.terminate()
    await this.#agent.close()
  }
}

async function statesIn(agent: McpClient, uri: string): Promise<string[]> {
  const [resource] = await agent.read(uri)
  const { sessions } = JSON.parse(resource?.text ?? '{"sessions":[]}') as { sessions: { state: string }[] }
  return sessions.map(({ state }) => state)
}

/** What a window of the product holds: one socket, let in by a one-time address. */
async function openWindow(tandem: Tandem): Promise<WebSocket> {
  const { url } = tandem.ready
  const entered = await fetch(await tandem.freshUrl(), { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ui`, { headers: { cookie, origin: url } })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}
