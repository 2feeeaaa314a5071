import { TTY_SUBPROTOCOL } from '../../../shared/wire'

/** The terminal's WebSocket on the origin that served this page; the cookie is the key. */
export function openTerminalSocket(tmuxSession: string, from: number | undefined): WebSocket {
  const address = new URL('/ws', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('arg', tmuxSession)
  address.searchParams.set('preview', '1')
  if (from !== undefined) address.searchParams.set('from', String(from))
  return new WebSocket(address, TTY_SUBPROTOCOL)
}
