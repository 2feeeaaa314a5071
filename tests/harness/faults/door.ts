import { Agent, request } from 'node:http'
import type { ApiAnswer, Tandem } from '../tandem'
import type { Created, Listed } from '../workspace'

export interface Warned {
  code: string
  message: string
}

/** An answer other than success. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string
  ) {
    super(`${status} ${code}: ${message}`)
  }
}

/** One workspace of any project through the HTTP door, with the answers as they are: refusals by code, warnings too. */
export class Door {
  readonly #tandem: () => Tandem
  readonly project: string
  readonly session: string

  constructor(tandem: () => Tandem, { project, session }: { project: string; session: string }) {
    this.#tandem = tandem
    this.project = project
    this.session = session
  }

  async create(name?: string, headers: Record<string, string> = {}): Promise<Created> {
    const { project, session } = this
    return (await this.#call('POST', '', { project, session, name }, headers)) as unknown as Created
  }

  async list(): Promise<Listed[]> {
    return (await this.look()).sessions
  }

  async look(): Promise<{ sessions: Listed[]; warnings: Warned[] }> {
    // A connection kept open may be closed by the host just as it is used again: a question can be asked twice.
    const first = this.#call('GET', '')
    const { sessions, warnings = [] } = await first.catch((failure: unknown) => {
      if (failure instanceof NoAnswer) return this.#call('GET', '')
      throw failure
    })
    return { sessions: sessions as unknown as Listed[], warnings: warnings as unknown as Warned[] }
  }

  async rename(id: string, name: string): Promise<boolean> {
    return (await this.#call('PATCH', `/${id}`, { name })).success === true
  }

  async reorder(orderedIds: string[]): Promise<boolean> {
    return (await this.#call('PUT', '/reorder', { orderedIds })).success === true
  }

  async kill(id: string): Promise<{ success: boolean; warnings: Warned[] }> {
    const { success, warnings = [] } = await this.#call('DELETE', `/${id}`)
    return { success: success === true, warnings: warnings as unknown as Warned[] }
  }

  /** Starts again what has ended. */
  async restart(id: string): Promise<Created> {
    const path = `/api/terminal/sessions/${id}/restart?${this.#query}`
    return (await answered(this.#tandem(), { method: 'POST', path, body: {} })) as unknown as Created
  }

  /** What is over, newest first. */
  async ended(): Promise<{ id: string; reason: string }[]> {
    const { ended } = await answered(this.#tandem(), { method: 'GET', path: `/api/terminal/ended?${this.#query}` })
    return ended as unknown as { id: string; reason: string }[]
  }

  /** The whole workspace; its programs end behind the answer. */
  async remove(): Promise<boolean> {
    const path = `/api/workspaces?${this.#query}`
    return (await answered(this.#tandem(), { method: 'DELETE', path })).success === true
  }

  get #query(): URLSearchParams {
    return new URLSearchParams({ project: this.project, session: this.session })
  }

  #call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer['body']> {
    const address = `/api/terminal/sessions${path}${method === 'POST' ? '' : `?${this.#query}`}`
    return answered(this.#tandem(), { method, path: address, body, headers })
  }
}

async function answered(tandem: Tandem, call: Call): Promise<ApiAnswer['body']> {
  const { status, body } = await exchange(tandem, call)
  if (status === 200) return body
  const { code, message } = body.error as unknown as Warned
  throw new Refused(status, code, message)
}

/** The code of a refusal; anything else is thrown again. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'no refusal'
  } catch (failure) {
    if (failure instanceof Refused) return failure.code
    throw failure
  }
}

interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string> | undefined
}

/** No answer came: the connection failed or ended. Whether the request took effect is not known. */
export class NoAnswer extends Error {}

// For code that hangs; a tmux that does not answer costs 3 s a command.
const EXCHANGE_LIMIT_MS = 45_000
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Closes what is kept open for the next exchange. */
export function hangUp(): void {
  agent.destroy()
}

/** One exchange that always ends: with an answer, or with NoAnswer however the host died. */
export function exchange(tandem: Tandem, { method, path, body, headers = {} }: Call): Promise<ApiAnswer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const authorization = `Bearer ${tandem.ready.token}`
  return new Promise((resolve, reject) => {
    const why = ({ message } = new Error('the connection closed')) => `${method} ${path}: ${message}`
    const fail = (failure?: Error) => reject(new NoAnswer(why(failure)))
    const sent = request(`${tandem.ready.url}${path}`, {
      method,
      agent,
      headers: { authorization, ...json, ...headers }
    })
    sent.setTimeout(EXCHANGE_LIMIT_MS, () => sent.destroy(new Error(`no answer in ${EXCHANGE_LIMIT_MS} ms`)))
    sent.on('error', fail)
    sent.on('close', () => fail())
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        if (!response.complete) return fail()
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
      })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
