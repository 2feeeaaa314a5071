import type { Tandem } from './tandem'

export interface Created {
  id: string
  tmuxSession: string
  wsUrl: string
}

export interface Listed {
  id: string
  name: string
  tmuxSession: string
  created: string
  order: number
  state: string
  backend: string
  cwd: string
  program: string
  pid: number | null
  exitCode: number | null
}

/** One workspace through the HTTP door. */
export class WorkspaceClient {
  readonly #tandem: () => Tandem
  readonly #session: string

  constructor(tandem: () => Tandem, session = 'work') {
    this.#tandem = tandem
    this.#session = session
  }

  get #query(): string {
    return new URLSearchParams({ project: this.#tandem().world.project, session: this.#session }).toString()
  }

  async create(name?: string): Promise<Created> {
    const request = { project: this.#tandem().world.project, session: this.#session, name }
    const { status, body } = await this.#tandem().api('POST', '/api/terminal/sessions', request)
    if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`)
    return body as unknown as Created
  }

  async list(): Promise<Listed[]> {
    const { body } = await this.#tandem().api('GET', `/api/terminal/sessions?${this.#query}`)
    return body.sessions as unknown as Listed[]
  }

  async find(id: string): Promise<Listed | undefined> {
    return (await this.list()).find((terminal) => terminal.id === id)
  }

  async kill(id: string): Promise<boolean> {
    const { body } = await this.#tandem().api('DELETE', `/api/terminal/sessions/${id}?${this.#query}`)
    return body.success === true
  }

  async rename(id: string, name: string): Promise<boolean> {
    const { body } = await this.#tandem().api('PATCH', `/api/terminal/sessions/${id}?${this.#query}`, { name })
    return body.success === true
  }

  async reorder(orderedIds: string[]): Promise<boolean> {
    const { body } = await this.#tandem().api('PUT', `/api/terminal/sessions/reorder?${this.#query}`, { orderedIds })
    return body.success === true
  }
}
