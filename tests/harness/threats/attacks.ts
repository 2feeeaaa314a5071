import { connect, type Socket } from 'node:net'
import { count } from '../counts'

/** What is attacked, and the rights the attacker has. */
export interface Target {
  port: number
  token: string
  /** Of a token that may only look. */
  readToken: string
  /** The terminal that is in use. */
  tmuxSession: string
  project: string
}

type Begin = (target: Target) => Socket

/** One way to wear a server out. It goes on until it is stopped, and leaves nothing open. */
export interface Attack {
  /** Less often than this it was none. */
  leastRounds: number
  start(target: Target): { rounds(): number; stop(): void }
}

/** Keeps `many` things going, each begun anew `againMs` after it ended. */
function keepGoing(many: number, begin: Begin, { againMs = 5, leastRounds = many } = {}): Attack {
  return { leastRounds, start: (target) => new Running(many, againMs, () => begin(target)) }
}

class Running {
  readonly #sockets = new Set<Socket>()
  #rounds = 0
  #isStopped = false

  constructor(
    many: number,
    readonly againMs: number,
    readonly begin: () => Socket
  ) {
    // One after the other, and so they come again: a wave of all of them would hold up the one who looks, too.
    for (let index = 0; index < many; index++) setTimeout(() => this.#next(), (againMs * index) / many)
  }

  /** How often it was begun. */
  rounds(): number {
    return this.#rounds
  }

  stop(): void {
    this.#isStopped = true
    for (const socket of this.#sockets) socket.destroy()
  }

  #next(): void {
    if (this.#isStopped) return
    this.#rounds += 1
    const socket = this.begin()
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', () => undefined)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      setTimeout(() => this.#next(), this.againMs)
    })
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

function chunkedFlood({ port, token }: Target): Socket {
  const socket = send(port, `${head(port, [POST, ...withToken(token), 'Transfer-Encoding: chunked'])}\r\n`)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const timer = setInterval(() => socket.writable && socket.write(chunk), 1)
  socket.once('close', () => clearInterval(timer))
  return socket
}

/** The connection ends with its answer: one that is kept would be the attacker's last. */
function bomb(port: number, lines: string[], body: string): Socket {
  return send(port, `${head(port, [...lines, 'Connection: close', `Content-Length: ${body.length}`])}\r\n${body}`)
}

/** JSON that is costly, as the body of a create. */
const jsonBomb = (body: string): Begin => {
  return ({ port, token }) => bomb(port, [POST, ...withToken(token)], body)
}

function reorderBomb({ port, token, project }: Target): Socket {
  const place = `project=${encodeURIComponent(project)}&session=work`
  const line = `PUT /api/terminal/sessions/reorder?${place} HTTP/1.1`
  return bomb(port, [line, ...withToken(token)], `{"orderedIds":[${'0,'.repeat(199_000)}0]}`)
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
]

/** Resets the connection in the middle of the upgrade. */
function resetUpgrade({ port, token }: Target): Socket {
  const socket = dial(port)
  const lines = ['GET /ws?arg=x HTTP/1.1', ...UPGRADE, `Authorization: Bearer ${token}`]
  socket.on('connect', () => socket.write(`${head(port, lines)}\r\n`, () => socket.resetAndDestroy()))
  return socket
}

/** How a refusal by 1008 begins, after its length. */
const REFUSED = Buffer.from([1008 >> 8, 1008 & 0xff])

/** Watches a terminal and says these things there. */
const frames = (...texts: string[]): Begin => {
  const bytes = Buffer.concat(texts.map(textFrame))
  return ({ port, readToken, tmuxSession }) => {
    const asked = [`GET /ws?arg=${tmuxSession} HTTP/1.1`, ...UPGRADE, `Authorization: Bearer ${readToken}`]
    const socket = send(port, Buffer.concat([Buffer.from(`${head(port, asked)}\r\n`), bytes]))
    // Whoever is asked to leave and stays is let go only after half a minute, and attacks no more until then.
    return socket.on('data', (data) => data.includes(REFUSED) && socket.destroy())
  }
}

/** A text message of a client, masked with zeros. */
function textFrame(text: string): Buffer {
  const header = Buffer.alloc(14)
  header.writeUInt16BE(0x81ff)
  header.writeBigUInt64BE(BigInt(text.length), 2)
  return Buffer.concat([header, Buffer.from(text)])
}

const WIDE = `[${'{},'.repeat(1_300_000)}{}]`
const HELLO = '{"AuthToken":"","columns":80,"rows":24}'
/** What is answered comes again; each of these was a tenth of a second for the host once. */
const COSTLY = { leastRounds: count({ small: 10, full: 300 }) }

export const ATTACKS: Record<string, Attack> = {
  'headers that never end': keepGoing(200, ({ port }) => drip(send(port, head(port, ['GET / HTTP/1.1'])), 'X')),
  'a body that never comes': keepGoing(200, ({ port, token }) =>
    drip(send(port, `${head(port, [POST, ...withToken(token), 'Content-Length: 1000000'])}\r\n`), ' ')
  ),
  'a body of four gigabytes': keepGoing(20, ({ port, token }) =>
    drip(send(port, `${head(port, [POST, ...withToken(token), 'Content-Length: 4294967296'])}\r\n`), ' ')
  ),
  'a body of four gigabytes without a token': keepGoing(20, ({ port }) =>
    drip(send(port, `${head(port, [POST, 'Content-Length: 4294967296'])}\r\n`), ' ')
  ),
  'chunks without end': keepGoing(4, chunkedFlood),
  'deeply nested JSON': keepGoing(2, jsonBomb('['.repeat(2_000_000)), COSTLY),
  'wide JSON': keepGoing(2, jsonBomb(WIDE), COSTLY),
  'JSON with a million keys': keepGoing(
    2,
    jsonBomb(`{${Array.from({ length: 150_000 }, (_, n) => `"key${n}":${n}`).join(',')}}`),
    COSTLY
  ),
  'a list of ids that are none': keepGoing(2, reorderBomb, COSTLY),
  'wide JSON as a first frame': keepGoing(2, frames(`{"columns":80,"rows":24,"x":${WIDE}}`), COSTLY),
  'wide JSON as a size': keepGoing(2, frames(HELLO, `1{"columns":80,"rows":24,"x":${WIDE}}`), COSTLY),
  // Most are refused; who comes again at once would only measure himself.
  'thousands of sockets': keepGoing(count({ small: 1500, full: 10_000 }), ({ port }) => dial(port), {
    againMs: count({ small: 5, full: 5000 })
  }),
  'upgrades that are reset': keepGoing(50, resetUpgrade),
  'wrong tokens': keepGoing(
    100,
    ({ port }) => send(port, `${head(port, [POST, ...withToken('guess'), 'Connection: close'])}\r\n`),
    { againMs: 100, leastRounds: count({ small: 300, full: 3000 }) }
  ),
  'no protocol at all': keepGoing(50, ({ port }) => send(port, Buffer.alloc(20_000, 0xff)))
}
