import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../src/core/log'
import { answerUiCall, createUiHandlers } from '../../src/server/uiHandlers'
import type { Access } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'

let host: DoorsHost
let id: string

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(() => host.close())

const key = () => ({ project: host.project, session: 'ended' })
const query = () => `?${new URLSearchParams(key())}`

async function ask(method: string, path: string, token = host.owner) {
  const response = await fetch(`${host.server.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'POST' ? { body: '{}' } : {})
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const restart = (token?: string) => ask('POST', `/api/terminal/sessions/${id}/restart${query()}`, token)
const ended = (token?: string) => ask('GET', `/api/terminal/ended${query()}`, token)
const forget = (token?: string) => ask('DELETE', `/api/terminal/ended/${id}${query()}`, token)

const OWNER: Access = { name: 'owner', scopes: ['read', 'type', 'kill'], projects: null }

beforeEach(async () => {
  const { record } = await host.workspaces.create(OWNER, { ...key(), name: 'one' })
  await host.workspaces.kill(OWNER, key(), record.id)
  id = record.id
})

test('each call needs its scope', async () => {
  const only = (scope: 'read' | 'type' | 'kill') =>
    host.tokens.add(`${scope}-${id}`, { scopes: [scope], projects: null })
  const [read, type, kill] = [only('read'), only('type'), only('kill')]
  expect((await ended(read)).status).toBe(200)
  for (const token of [type, kill]) expect((await ended(token)).status).toBe(401)
  for (const token of [read, kill]) expect((await restart(token)).status).toBe(401)
  for (const token of [read, type]) expect((await forget(token)).status).toBe(401)
  expect((await forget(kill)).body).toEqual({ success: true })
  expect((await restart(type)).status).toBe(200)
})

test('a token for another project finds nothing, and answers do not tell a foreign project from a missing one', async () => {
  const other = join(host.root, 'other')
  mkdirSync(other, { recursive: true })
  const token = host.tokens.add(`limited-${id}`, { scopes: ['read', 'type', 'kill'], projects: [other] })
  const missing = { project: join(host.root, 'nowhere'), session: 'ended' }
  for (const [method, path] of [
    ['GET', '/api/terminal/ended'],
    ['DELETE', `/api/terminal/ended/${id}`],
    ['POST', `/api/terminal/sessions/${id}/restart`]
  ] as const) {
    const foreign = await ask(method, path + query(), token)
    const unknown = await ask(method, `${path}?${new URLSearchParams(missing)}`, token)
    const without = (answer: typeof foreign) => JSON.stringify(answer).replaceAll(/"\/[^"]*?(project|nowhere)/g, '"')
    expect(foreign.status).toBeGreaterThanOrEqual(400)
    expect(without(foreign).replaceAll(host.project, '')).toBe(without(unknown).replaceAll(missing.project, ''))
  }
  expect((await ask('POST', '/api/reconcile', token)).status).toBe(401)
  expect(host.backend.programs.has(id)).toBe(false)
})

test('a window lists, restarts and forgets through its own contract', async () => {
  const window = createUiHandlers({
    workspaces: host.workspaces,
    settingsStore: host.settingsStore,
    access: OWNER,
    version: '',
    homeProject: host.project,
    notices: () => []
  })
  const call = (name: string, ...args: unknown[]) => answerUiCall(window, { call: name, args }, silentLog)
  expect(await call('listEnded', key())).toMatchObject({
    ok: true,
    value: expect.arrayContaining([expect.objectContaining({ id })])
  })
  expect(await call('forgetEnded', key(), [id])).toEqual({ ok: true, value: 1 })
  expect(await call('restartTerminal', key(), id)).toMatchObject({ ok: true, value: { id, warnings: [] } })
  expect(await call('restartTerminal', key(), id)).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
  expect(await call('restartTerminal', key(), 7)).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
})

test('each restart leaves a trace of who did it', async () => {
  await restart()
  const { body } = await ask('GET', '/api/audit')
  expect(body.entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'restart', outcome: 'OK', terminal: { id, name: 'one' } })
    ])
  )
})
