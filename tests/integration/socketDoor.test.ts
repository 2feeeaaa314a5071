import { existsSync, mkdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// The doors on a socket in the data directory, for programs of the same user.

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)
const socketPath = () => join(world.dataDir, 'host.sock')

beforeEach(() => {
  world = makeWorld()
})
afterEach(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socketPath(), path, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end()
  })
}

test('it answers like the port: a token on every door, its own Host, and no Origin', async () => {
  tandem = await Tandem.start(world)
  const authorization = `Bearer ${tandem.ready.token}`
  const host = 'localhost'
  expect(statSync(socketPath()).mode & 0o777).toBe(0o600)
  expect(await statusOf('/healthz', { host })).toBe(200)
  expect(await statusOf('/api/workspaces', { host })).toBe(401)
  expect(await statusOf('/api/workspaces', { host, authorization: 'Bearer guess' })).toBe(401)
  expect(await statusOf('/api/workspaces', { host, authorization })).toBe(200)
  expect(await statusOf('/nowhere', { host, authorization })).toBe(404)
  for (const other of [new URL(tandem.ready.url).host, 'evil.example', 'localhost:80']) {
    expect(await statusOf('/api/workspaces', { host: other, authorization })).toBe(403)
  }
  for (const origin of [tandem.ready.url, 'http://localhost', 'null']) {
    expect(await statusOf('/api/workspaces', { host, authorization, origin })).toBe(403)
  }
})

test('a terminal is typed into through it', async () => {
  tandem = await Tandem.start(world)
  const { tmuxSession } = await work.create()
  const headers = { authorization: `Bearer ${tandem.ready.token}`, host: 'localhost' }
  const viewer = new WebSocket(`ws+unix://${socketPath()}:/ws?arg=${tmuxSession}`, ['tty'], { headers })
  let seen = ''
  viewer.on('message', (frame: Buffer) => {
    seen += frame.subarray(1).toString()
  })
  await new Promise((resolve, reject) => viewer.once('open', resolve).once('error', reject))
  viewer.send(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 }))
  viewer.send('0echo through-$((1+1))\r')
  await until(() => seen.includes('through-2'), { what: 'the answer' })
  viewer.terminate()
})

test('what a killed host left is replaced; a host that stops takes it away', async () => {
  tandem = await Tandem.start(world)
  await tandem.end('SIGKILL')
  expect(existsSync(socketPath())).toBe(true)
  tandem = await Tandem.start(world)
  expect(await statusOf('/healthz', { host: 'localhost' })).toBe(200)
  await tandem.end('SIGTERM')
  expect(existsSync(socketPath())).toBe(false)
})

test('in a directory whose name is too long for a socket the host does without', async () => {
  world.dataDir = join(world.root, 'd'.repeat(120))
  mkdirSync(world.dataDir, { mode: 0o700 })
  tandem = await Tandem.start(world)
  expect(existsSync(socketPath())).toBe(false)
  expect((await tandem.api('GET', '/healthz')).status).toBe(200)
})
