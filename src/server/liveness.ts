import type { WebSocket } from 'ws'

const PING_INTERVAL_MS = 5000
const DEAD_AFTER_MS = 20_000

/** Frees a peer that vanished without a word (a closed lid, a pulled cable). A paused socket is not judged. */
export function watchLiveness(socket: WebSocket): void {
  let lastHeardMs = Date.now()
  const heard = () => {
    lastHeardMs = Date.now()
  }
  const timer = setInterval(() => {
    if (socket.isPaused) heard()
    if (Date.now() - lastHeardMs > DEAD_AFTER_MS) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.ping()
  }, PING_INTERVAL_MS)
  timer.unref()
  socket.on('pong', heard)
  socket.on('message', heard)
  socket.once('close', () => clearInterval(timer))
}
