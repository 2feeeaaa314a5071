import { z } from 'zod'
import { openDataDir } from '../core/data/dataDir'
import { type Endpoint, readEndpoint } from '../core/data/discovery'
import { terminalSessionSchema, workspaceSummarySchema } from '../shared/terminal'
import { EXIT_CODES } from './exitCodes'
import { strings } from './strings'

const refusalSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() })
})

/** A host that is stopped or stuck is said to be so. */
const ANSWER_LIMIT_MS = 30_000

/** What the host said of a call that it did not carry out; of one that did not reach it, what a client says instead. */
export interface HostRefusal {
  code: string
  message: string
  hint?: string | undefined
}

/** A command that cannot go on: the sentence for the person and the exit code for the script. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'

  constructor(
    message: string,
    readonly exitCode: number,
    readonly refusal?: HostRefusal
  ) {
    super(message)
  }
}

export const listedTerminalSchema = terminalSessionSchema.extend({ project: z.string(), session: z.string() })
export type ListedTerminal = z.infer<typeof listedTerminalSchema>

/** The running host, as the commands of the same user see it: over its own HTTP door. */
export class HostClient {
  readonly endpoint: Endpoint

  private constructor(endpoint: Endpoint) {
    this.endpoint = endpoint
  }

  static find(dataDir: string | undefined): HostClient {
    const endpoint = readEndpoint(openDataDir(process.env, dataDir).path)
    if (!endpoint) throw new CommandFailed(strings.noHost, EXIT_CODES.noHost)
    return new HostClient(endpoint)
  }

  async request<S extends z.ZodType>(answer: S, method: string, path: string, content = {}): Promise<z.infer<S>> {
    const response = await this.#fetch(method, path, content)
    const body: unknown = await response.json()
    if (response.ok) return answer.parse(body)
    const refusal = refusalSchema.safeParse(body)
    const error = refusal.data?.error ?? { code: 'INTERNAL', message: response.statusText }
    throw new CommandFailed(strings.hostRefused(error.message, error.hint), EXIT_CODES.failed, error)
  }

  /** Every terminal of every workspace, in the order the tabs have. */
  async terminals(): Promise<ListedTerminal[]> {
    const { workspaces } = await this.request(
      z.object({ workspaces: z.array(workspaceSummarySchema) }),
      'GET',
      '/api/workspaces'
    )
    const lists = await Promise.all(
      workspaces.map(async ({ project, session }) => {
        const query = new URLSearchParams({ project, session })
        const answer = z.object({ sessions: z.array(terminalSessionSchema) })
        const { sessions } = await this.request(answer, 'GET', `/api/terminal/sessions?${query}`)
        return sessions.map((terminal) => ({ ...terminal, project, session }))
      })
    )
    return lists.flat()
  }

  async #fetch(method: string, path: string, content: object): Promise<Response> {
    try {
      return await fetch(`${this.endpoint.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.endpoint.token}`,
          'content-type': 'application/json',
          'user-agent': 'tandem-cli'
        },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
        ...(method === 'POST' ? { body: JSON.stringify(content) } : {})
      })
    } catch (failure) {
      if (failure instanceof Error && failure.name === 'TimeoutError') {
        throw new CommandFailed(strings.hostSilent(this.endpoint.pid), EXIT_CODES.failed)
      }
      throw new CommandFailed(strings.noHost, EXIT_CODES.noHost)
    }
  }
}

/** The short form of a terminal's id. */
export function handleOf({ id }: { id: string }): string {
  return `sess_${id.slice(0, 8)}`
}

/** The one terminal a person means: UUID, `sess_…`, tmux name, or a display name that only one terminal has. */
export function chooseTerminal(terminals: readonly ListedTerminal[], handle: string): ListedTerminal {
  const byHandle = terminals.filter(
    ({ id, tmuxSession }) => id === handle || tmuxSession === handle || handleOf({ id }) === handle
  )
  const found = byHandle.length > 0 ? byHandle : terminals.filter(({ name }) => name === handle)
  const [only, second] = found
  if (only !== undefined && second === undefined) return only
  const message = only === undefined ? strings.noTerminal(handle) : strings.manyTerminals(handle, found.length)
  throw new CommandFailed(message, EXIT_CODES.failed)
}
