import { connect, type Socket } from 'node:net'
import { count } from '../counts'

/** One way to wear a server out. It goes on until it is stopped, and leaves nothing open. */
export type Attack = (port: number, token: string) => { stop(): void }

/** Keeps `many` things going, each begun anew `againMs` after it ended. */
function keepGoing(many: number, begin: (port: number, token: string) => Socket, againMs = 5): Attack {
  return (port, token) => {
    const sockets = new Set<Socket>()
    let isStopped = false
    const start = () => {
      if (isStopped) return
      const socket = begin(port, token)
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('data', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        setTimeout(start, againMs)
      })
    }
    // One after the other, and so they come again: a wave of all of them would hold up the one who looks, too.
    for (let index = 0; index < many; index++) setTimeout(start, (againMs * index) / many)
    return {
      stop() {
        isStopped = true
        for (const socket of sockets) socket.destroy()
      }
    }
  }
}

const dial = (port: number) => connect({ host: '127.0.0.1', port })

function send(port: number, text: string | Buffer): Socket {
  const socket = dial(port)
  socket.on('connect', () => socket.write(text))
  return socket
}

const head = (port: number, lines: string[]) =>
  `${[...lines.slice(0, 1), `Host: 127.0.0.1:${port}`, ...lines.slice(1)].join('\r\n')}\r\n`
const withToken = (token: string) => [`Authorization: Bearer ${token}`, 'Content-Type: application/json']
const POST = 'POST /api/terminal/sessions HTTP/1.1'

/** Drips one byte at a time after what was sent. */
function drip(socket: Socket, byte: string): Socket {
  const timer = setInterval(() => socket.writable && socket.write(byte), 50)
  socket.once('close', () => clearInterval(timer))
  return socket
}

function chunkedFlood(port: number, token: string): Socket {
  const socket = send(port, `${head(port, [POST, ...withToken(token), 'Transfer-Encoding: chunked'])}\r\n`)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const timer = setInterval(() => socket.writable && socket.write(chunk), 1)
  socket.once('close', () => clearInterval(timer))
  return socket
}

function bomb(port: number, token: string, body: string): Socket {
  return send(port, `${head(port, [POST, ...withToken(token), `Content-Length: ${body.length}`])}\r\n${body}`)
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
]

/** Resets the connection in the middle of the upgrade. */
function resetUpgrade(port: number, token: string): Socket {
  const socket = dial(port)
  const lines = ['GET /ws?arg=x HTTP/1.1', ...UPGRADE, `Authorization: Bearer ${token}`]
  socket.on('connect', () => socket.write(`${head(port, lines)}\r\n`, () => socket.resetAndDestroy()))
  return socket
}

export const ATTACKS: Record<string, Attack> = {
  'headers that never end': keepGoing(200, (port) => drip(send(port, head(port, ['GET / HTTP/1.1'])), 'X')),
  'a body that never comes': keepGoing(200, (port, token) =>
    drip(send(port, `${head(port, [POST, ...withToken(token), 'Content-Length: 1000000'])}\r\n`), ' ')
  ),
  'a body of four gigabytes': keepGoing(20, (port, token) =>
    drip(send(port, `${head(port, [POST, ...withToken(token), 'Content-Length: 4294967296'])}\r\n`), ' ')
  ),
  'a body of four gigabytes without a token': keepGoing(20, (port) =>
    drip(send(port, `${head(port, [POST, 'Content-Length: 4294967296'])}\r\n`), ' ')
  ),
  'chunks without end': keepGoing(4, chunkedFlood),
  'deeply nested JSON': keepGoing(2, (port, token) => bomb(port, token, '['.repeat(2_000_000))),
  'wide JSON': keepGoing(2, (port, token) => bomb(port, token, `[${'{},'.repeat(600_000)}{}]`)),
  'JSON with a million keys': keepGoing(2, (port, token) =>
    bomb(port, token, `{${Array.from({ length: 150_000 }, (_, n) => `"key${n}":${n}`).join(',')}}`)
  ),
  // Most are refused; who comes again at once would only measure himself.
  'thousands of sockets': keepGoing(count({ small: 1500, full: 10_000 }), dial, count({ small: 5, full: 5000 })),
  'upgrades that are reset': keepGoing(50, resetUpgrade),
  'wrong tokens': keepGoing(100, (port) => send(port, `${head(port, [POST, ...withToken('guess')])}\r\n`)),
  'no protocol at all': keepGoing(50, (port) => send(port, Buffer.alloc(20_000, 0xff)))
}
