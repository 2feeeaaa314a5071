import { WebSocket } from 'ws'

// Many clients that watch one terminal, in a process of their own: to be stopped, all at once and without a word.

const { url, token, count } = JSON.parse(process.argv[2])
const opened = Array.from({ length: count }, () => {
  const socket = new WebSocket(url, ['tty'], { headers: { authorization: `Bearer ${token}` } })
  socket.on('open', () => socket.send(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 })))
  return new Promise((resolve) => socket.once('message', resolve))
})
await Promise.all(opened)
console.log('watching')
