/** Closes a socket, but one that is still connecting only after it has: browsers report a cut handshake as an error. */
export function withoutCuttingConnect(socket: WebSocket): void {
  if (socket.readyState === socket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket.close()
}
