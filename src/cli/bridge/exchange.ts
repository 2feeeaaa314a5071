import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Endpoint } from '../../core/data/discovery'
import type { RpcNotification, RpcOutcome } from './messages'
import { type Fields, fieldsOf, readMessage } from './messages'

/** A request that got no answer. `wasSent`: the host may have read it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(
    readonly wasSent: boolean,
    cause: unknown
  ) {
    super('The host gave no answer', { cause })
  }
}

/** What the door said before MCP was reached: the token, the size, the toolset. Nothing was done. */
export class DoorRefusal extends Error {
  override readonly name = 'DoorRefusal'

  constructor(
    readonly status: number,
    readonly error: Fields
  ) {
    super(`The host answered ${status}`)
  }
}

/** Where a host answers, and what opens it. */
export type HostAddress = Pick<Endpoint, 'url' | 'token'>

export interface HostCall {
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** Opens one exchange on a connection of its own: a kept one may die in the moment it is used, and then nobody knows. */
export function open({ url, token }: HostAddress, call: HostCall): Promise<IncomingMessage> {
  const { path, headers, body, signal } = call
  return new Promise((resolve, reject) => {
    let wasSent = false
    const outgoing: ClientRequest = request(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      signal,
      headers: { authorization: `Bearer ${token}`, ...headers }
    })
    outgoing.once('socket', (socket) => {
      socket.once('connect', () => {
        wasSent = true
      })
    })
    outgoing.once('response', resolve)
    outgoing.once('error', (cause) => reject(new NoAnswer(wasSent, cause)))
    outgoing.end(body)
  })
}

/** Posts one MCP request; what comes before its answer goes to `note`. */
export async function post(
  endpoint: HostAddress,
  call: HostCall,
  note: (notification: RpcNotification) => void
): Promise<RpcOutcome> {
  const response = await open(endpoint, call)
  try {
    const outcome = isStream(response) ? await readStream(response, note) : await readWhole(response)
    if (outcome) return outcome
  } catch (failure) {
    if (failure instanceof DoorRefusal) throw failure
    throw new NoAnswer(true, failure)
  } finally {
    response.destroy()
  }
  throw new NoAnswer(true, undefined)
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

async function readWhole(response: IncomingMessage): Promise<RpcOutcome | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
  const message = readMessage(body)
  if (message?.kind === 'outcome') return message
  const { error } = fieldsOf(body)
  if (fieldsOf(body).jsonrpc === '2.0') {
    const { code, message: text } = fieldsOf(error)
    return { error: { code: Number(code), message: String(text) } }
  }
  throw new DoorRefusal(response.statusCode ?? 0, fieldsOf(error))
}

async function readStream(
  response: IncomingMessage,
  note: (notification: RpcNotification) => void
): Promise<RpcOutcome | undefined> {
  response.setEncoding('utf8')
  let rest = ''
  for await (const text of response) {
    const events = `${rest}${text}`.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const message = eventMessage(event)
      if (message?.kind === 'outcome') return message
      if (message?.kind === 'notification') note(message)
    }
  }
  return undefined
}

function eventMessage(event: string) {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  const data = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
  return data === '' ? undefined : readMessage(JSON.parse(data))
}
