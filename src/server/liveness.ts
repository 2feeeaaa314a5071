import type { WebSocket } from 'ws'

const PING_INTERVAL_MS = 5000
/** Dead at the tick after these: 20 s. Pings are counted, not time: a clock that jumps or a host that slept blames nobody. */
const MAX_UNANSWERED = 3

/** Frees a peer that vanished without a word (a closed lid, a pulled cable). A paused socket is not judged. */
export function watchLiveness(socket: WebSocket): void {
  let unanswered = 0
  const heard = () => {
    unanswered = 0
  }
  const timer = setInterval(() => {
    if (socket.isPaused) heard()
    if (unanswered >= MAX_UNANSWERED) socket.terminate()
    else if (socket.readyState === socket.OPEN) {
      unanswered += 1
      socket.ping()
    }
  }, PING_INTERVAL_MS)
  timer.unref()
  socket.on('pong', heard)
  socket.on('message', heard)
  socket.once('close', () => clearInterval(timer))
}
