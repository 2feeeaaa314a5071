// The least a terminal's server can do: a WebSocket that answers the first frame with a prepared screen.

import { WebSocketServer } from 'ws'

const row = `\x1b[32m${'the quick brown fox jumps over the lazy dog '.repeat(2).slice(0, 80)}\x1b[0m`
const screen = Buffer.from(`0\x1bc${Array.from({ length: 24 }, () => row).join('\r\n')}`)
const preferences = Buffer.from(`2${JSON.stringify({ tandem: { offset: 0, columns: 80, rows: 24 } })}`)

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.once('message', () => {
    socket.send(screen)
    socket.send(preferences)
  })
})
server.once('listening', () => {
  const wsUrl = `ws://127.0.0.1:${server.address().port}/?arg=screen`
  process.stdout.write(`${JSON.stringify({ wsUrl, token: 'none' })}\n`)
})
