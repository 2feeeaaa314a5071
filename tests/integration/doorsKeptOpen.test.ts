import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { pause, until } from '../harness/waiting'

// Connections that clients use again: none is closed under a request.

let host: DoorsHost
let agent: Agent

beforeEach(async () => {
  host = await startDoorsHost()
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  agent.destroy()
  await host.close()
})

interface Asked {
  status: number | undefined
  headers: IncomingMessage['headers']
  socket: Socket
}

function ask(path: string, token?: string, body?: string): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    }
    const method = body === undefined ? 'GET' : 'POST'
    const outgoing = request(`${host.server.origin}${path}`, { agent, method, headers }, (response) => {
      const { statusCode: status, socket } = response
      response.resume().once('end', () => resolve({ status, headers: response.headers, socket }))
    })
    outgoing.once('error', reject).end(body)
  })
}

test('a connection lives on well beyond the time that clients are told to keep it', async () => {
  const first = await ask('/api/workspaces', host.owner)
  const told = Number(/timeout=(\d+)/.exec(String(first.headers['keep-alive']))?.[1])
  // A client may count on it for so long; one whose clock is late uses it later, and must not meet its end.
  expect(told).toBe(5)
  await pause((told + 7) * 1000)
  const second = await ask('/api/workspaces', host.owner)
  expect([second.status, second.socket === first.socket]).toEqual([200, true])
})

test('one that nobody was let in on is not kept for long', async () => {
  const { socket, status } = await ask('/api/workspaces')
  expect(status).toBe(401)
  await until(() => socket.destroyed || socket.readableEnded, { what: 'the end of a stranger’s connection' })
})

test('an answer of a host that stops says that it is the last on its connection', async () => {
  const create = host.backend.create.bind(host.backend)
  let stopped: Promise<void> | undefined
  host.backend.create = (...given) => {
    stopped = host.server.close()
    return create(...given)
  }
  const body = JSON.stringify({ project: host.project, session: 'default' })
  const { status, headers } = await ask('/api/terminal/sessions', host.owner, body)
  expect([status, headers.connection]).toEqual([200, 'close'])
  await stopped
})
