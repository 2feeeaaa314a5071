import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import WebSocket from 'ws'

const OUTPUT = 0x30
const PREFERENCES = 0x32
const TAIL_BYTES = 4096
const PATIENCE_MS = 120_000

export async function call({ url, token }, { method = 'GET', path, body }) {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

export const createTerminal = (host, project, session = 'bench') =>
  call(host, { method: 'POST', path: '/api/terminal/sessions', body: { project, session } })

export async function killTerminals(host, project, session = 'bench') {
  await call(host, { method: 'DELETE', path: `/api/workspaces?${new URLSearchParams({ project, session })}` })
}

/** An MCP client as agents use it. */
export async function connectMcp({ mcpUrl, token }) {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } }
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }))
  return {
    call: async (name, args) => {
      const answer = await client.callTool({ name, arguments: args })
      if (answer.isError) throw new Error(`${name}: ${answer.content[0]?.text}`)
      return answer.structuredContent
    },
    close: () => client.close()
  }
}

/** A client of a terminal that knows at which offset of the program's output it is. */
export class Viewer {
  /** Bytes since the terminal began that this viewer has seen or been told of; undefined before the first snapshot. */
  offset
  /** How many times the place in the stream was told: after each snapshot, and at each change of size. */
  snapshots = 0
  #socket
  #tail = Buffer.alloc(0)
  #conditions = new Set()

  static open({ token }, { wsUrl }, { preview = false, size = { columns: 80, rows: 24 } } = {}) {
    const viewer = new Viewer()
    const address = `${wsUrl}${preview ? '&preview=1' : ''}`
    viewer.#socket = new WebSocket(address, 'tty', { headers: { authorization: `Bearer ${token}` } })
    viewer.#socket.on('message', (frame) => viewer.#received(frame))
    return new Promise((resolve, reject) => {
      viewer.#socket.once('error', reject).once('open', () => {
        viewer.#socket.send(JSON.stringify({ AuthToken: '', ...size }))
        resolve(viewer)
      })
    })
  }

  type(text) {
    this.#socket.send(`0${text}`)
  }

  /** Resolves when the newest output holds `text`. */
  seen(text) {
    return this.until(
      () => this.#tail.includes(text),
      `"${text}" in ${JSON.stringify(this.#tail.toString().slice(-200))}`
    )
  }

  forget() {
    this.#tail = Buffer.alloc(0)
  }

  reached(offset) {
    return this.until(() => this.offset !== undefined && this.offset >= offset, `offset ${offset}`)
  }

  until(isTrue, what) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(new Error(`waited too long for ${what}`))), PATIENCE_MS)
      const finish = (settle) => {
        clearTimeout(timer)
        this.#conditions.delete(look)
        settle()
      }
      const look = () => isTrue() && finish(resolve)
      this.#conditions.add(look)
      look()
    })
  }

  close() {
    return new Promise((resolve) => {
      this.#socket.once('close', resolve)
      this.#socket.close()
    })
  }

  #received(frame) {
    if (frame[0] === OUTPUT) this.#output(frame.subarray(1))
    else if (frame[0] === PREFERENCES) {
      this.offset = JSON.parse(frame.subarray(1)).tandem.offset
      this.snapshots += 1
    }
    for (const look of this.#conditions) look()
  }

  #output(bytes) {
    if (this.offset !== undefined) this.offset += bytes.length
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
  }
}

/** A terminal with its viewer, at its prompt. */
export async function openShell(host, project, session) {
  const terminal = await createTerminal(host, project, session)
  const viewer = await Viewer.open(host, terminal)
  await viewer.seen('$ ')
  return { terminal, viewer }
}
