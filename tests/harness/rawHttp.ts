import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

export interface RawRequest {
  method?: string
  path: string
  /** Sent exactly as they are, in this order; nothing is added. */
  headers: [name: string, value: string][]
  body?: string | Buffer
}

/** One request over a bare socket: every header is the caller's. The connection is closed afterwards. */
export function rawRequest(port: number, { method = 'GET', path, headers, body }: RawRequest): Promise<RawAnswer> {
  const head = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return rawExchange(port, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body ?? '')]))
}

/** Sends bytes and reads one answer. */
export function rawExchange(port: number, bytes: Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let received = Buffer.alloc(0)
    const done = (failure?: Error) => {
      const answer = parse(received)
      socket.destroy()
      if (answer) resolve(answer)
      else reject(failure ?? new Error(`no answer: ${JSON.stringify(received.toString())}`))
    }
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (parse(received)) done()
    })
    socket.on('error', done)
    socket.on('close', () => done())
    socket.setTimeout(20_000, () => done(new Error('the answer did not come')))
  })
}

function parse(received: Buffer): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  )
  const body = received.subarray(end + 4)
  const length = headers.get('content-length')
  if (length !== undefined && body.length < Number(length)) return undefined
  if (headers.get('transfer-encoding') === 'chunked' && !body.toString('latin1').endsWith('0\r\n\r\n')) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8') }
}
