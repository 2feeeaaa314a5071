import { type RawAnswer, rawRequest } from '../rawHttp'
import type { Tandem } from '../tandem'

export type Headers = [name: string, value: string][]

/** One way in to the running product. */
export interface Door {
  method: string
  path: string
  isUpgrade: boolean
  /** Changes something when it is let in. */
  isMutating: boolean
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const OTHERS = ['/', '/healthz', '/assets/index.js', '/mcp', '/mcp/readonly', '/mcp/x/collab', '/ws', '/ui']
const MUTATING = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Every door: the API as it describes itself, and what stands beside it. */
export async function doorsOf(tandem: Tandem): Promise<Door[]> {
  const { body } = await tandem.api('GET', '/api/openapi.json')
  const described = Object.entries(body.paths as unknown as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => door(method.toUpperCase(), path.replace('{id}', UNKNOWN_ID)))
  )
  const agents = ['/mcp', '/mcp/readonly', '/mcp/x/collab'].flatMap((path) => [
    door('POST', path),
    door('DELETE', path)
  ])
  const bridges = [door('POST', '/api/hand-over'), door('GET', '/api/bridge')]
  const gets = ['/api/openapi.json', ...OTHERS].map((path) => door('GET', path))
  const upgrades = ['/ws', '/ws?arg=x', '/ui', '/'].map((path) => ({ ...door('GET', path), isUpgrade: true }))
  return [...described, ...agents, ...bridges, ...gets, ...upgrades]
}

function door(method: string, path: string): Door {
  return { method, path, isUpgrade: false, isMutating: MUTATING.includes(method) }
}

const UPGRADE: Headers = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Protocol', 'tty']
]

/** How a door may be asked: as it is, as a WebSocket, for a stream of events. */
export const FORMS: readonly ((door: Door, headers: Headers) => [Door, Headers])[] = [
  (asked, headers) => [asked, headers],
  (asked, headers) => [{ ...asked, isUpgrade: true }, headers],
  (asked, headers) => [asked, [...headers, ['Accept', 'text/event-stream']]]
]

/** Knocks with these headers and no others. */
export function knock(port: number, { method, path, isUpgrade }: Door, headers: Headers): Promise<RawAnswer> {
  return rawRequest(port, { method, path, headers: isUpgrade ? [...headers, ...UPGRADE] : headers })
}

export const portOf = ({ ready }: Tandem) => Number(new URL(ready.url).port)

export const ownHost = (tandem: Tandem): Headers => [['Host', `127.0.0.1:${portOf(tandem)}`]]
export const ownOrigin = (tandem: Tandem): Headers => [['Origin', tandem.ready.url]]
export const bearer = (token: string): Headers => [['Authorization', `Bearer ${token}`]]

/** The cookie of a browser that was let in, as its `Cookie` header. */
export async function letInBrowser(tandem: Tandem, openUrl: string): Promise<Headers> {
  const { search } = new URL(openUrl)
  const { headers } = await rawRequest(portOf(tandem), { path: `/${search}`, headers: ownHost(tandem) })
  return [['Cookie', headers.get('set-cookie')?.split(';')[0] ?? '']]
}

/** A fresh one-time address. */
export async function freshOpenUrl(tandem: Tandem): Promise<string> {
  const { body } = await tandem.api('POST', '/api/open-code', {})
  return String(body.openUrl)
}
