import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { FakeProgram } from '../../src/core/backends/fakeBackend'
import { SCOPES } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { TtydClient, type TtydOptions, TtydRefused } from '../harness/ttydClient'
import { until } from '../harness/waiting'

let host: DoorsHost

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(() => host.close())

const owner = { name: 'owner', scopes: SCOPES, projects: null }
const bearer = (token = host.owner) => ({ authorization: `Bearer ${token}` })

async function newTerminal(): Promise<{ url: string; id: string; program: FakeProgram; tmuxSession: string }> {
  const { record } = await host.workspaces.create(owner, { project: host.project, session: 'sockets' })
  const { id, tmuxSession } = record
  return { url: host.server.wsUrlOf(tmuxSession), id, tmuxSession, program: host.backend.program(id) }
}

const connect = (url: string, options: TtydOptions = {}) => TtydClient.connect(url, { headers: bearer(), ...options })

async function refused(url: string, options: TtydOptions = {}): Promise<{ status: number; code: string }> {
  const failure: unknown = await connect(url, options).catch((thrown: unknown) => thrown)
  if (!(failure instanceof TtydRefused)) throw new Error(`not refused: ${String(failure)}`)
  return { status: failure.status, code: (JSON.parse(failure.body) as { error: { code: string } }).error.code }
}

const sees = (client: TtydClient, text: string) =>
  until(() => client.output.toString().includes(text), { what: `"${text}" in ${client.output.toString()}` })

describe('a stock ttyd client', () => {
  test.each(['text', 'binary'] as const)('types and reads with %s frames', async (as) => {
    const { url, program } = await newTerminal()
    const client = await connect(url, { as })
    expect(client.protocol).toBe('tty')
    await until(() => client.preferences.length > 0)
    client.type('echo café\r')
    await until(() => program.heard.join('') === 'echo café\r')
    program.emit('café\r\n')
    await sees(client, 'café')
    client.close()
  })

  test('first gets a snapshot, then where the stream goes on, then exactly what follows', async () => {
    const { url, program } = await newTerminal()
    program.emit('before')
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    expect(client.frames[0]?.kind).toBe('0')
    expect(client.output.toString()).toContain('before')
    const at = client.frames.findLastIndex(({ kind }) => kind === '2')
    expect(client.preferences.at(-1)).toMatchObject({ tandem: { offset: 6, columns: 80, rows: 24 } })
    program.emit('after')
    await sees(client, 'after')
    const later = client.frames.slice(at + 1).filter(({ kind }) => kind === '0')
    expect(Buffer.concat(later.map(({ payload }) => payload)).toString()).toBe('after')
    client.close()
  })

  test('that comes back with its offset misses and doubles nothing', async () => {
    const { url, program } = await newTerminal()
    program.emit('0123456789')
    const client = await connect(`${url}&from=4`)
    await sees(client, '456789')
    expect(client.frames[0]?.kind).toBe('2')
    expect(client.preferences[0]).toMatchObject({ tandem: { offset: 4 } })
    expect(client.output.toString()).toBe('456789')
    client.close()
    const lost = await connect(`${url}&from=999999`)
    await until(() => lost.preferences.length > 0)
    expect(lost.frames[0]?.kind).toBe('0')
    lost.close()
  })

  test('hears of titles, and of a size that another took', async () => {
    const { url, program } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    program.emit('\x1b]0;building\x07')
    await until(() => client.titles.includes('building'))
    const other = await connect(url, { columns: 100, rows: 40 })
    await until(() => JSON.stringify(client.preferences.at(-1)).includes('"columns":100,"rows":40'))
    other.close()
    client.close()
  })

  test('sets the size of the terminal; sizes no terminal can have change nothing', async () => {
    const { url, program } = await newTerminal()
    const client = await connect(url, { columns: 90, rows: 30 })
    await until(() => program.size.cols === 90 && program.size.rows === 30)
    for (const [columns, rows] of [
      [0, 0],
      [1, 1],
      [65_535, 65_535],
      [1.5, 2]
    ] as const)
      client.resize(columns, rows)
    client.resize(91, 31)
    await until(() => program.size.cols === 91)
    expect(program.resizes.every(({ cols }) => [90, 91].includes(cols))).toBe(true)
    client.close()
  })

  test('that pauses gets nothing more until it resumes, and then catches up', async () => {
    const { url, program } = await newTerminal()
    const [paused, other] = await Promise.all([connect(url), connect(url)])
    await until(() => paused.preferences.length > 0 && other.preferences.length > 0)
    paused.pause()
    paused.type('x')
    await until(() => program.heard.includes('x'))
    program.emit('one ')
    program.emit('two')
    await sees(other, 'one two')
    expect(paused.output.toString()).not.toContain('two')
    paused.resume()
    await sees(paused, 'one two')
    paused.close()
    other.close()
  })

  test('is told of the end of the program after the last byte', async () => {
    const { url, program } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    program.emit('last words')
    program.finish(3)
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1000)
    expect(client.output.toString()).toContain('last words')
  })

  test('a key pressed as the program ends is no error', async () => {
    const { url, program } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    program.finish(0)
    client.type('too late')
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1000)
  })
})

describe('who may watch and type', () => {
  test('Bearer, ?token=, and the token again in the first frame', async () => {
    const { url } = await newTerminal()
    const byQuery = await TtydClient.connect(`${url}&token=${host.owner}`)
    const twice = await connect(url, { authToken: host.owner })
    for (const client of [byQuery, twice]) {
      await until(() => client.preferences.length > 0)
      client.close()
    }
    expect(host.logged.join('\n')).not.toContain(host.owner)
  })

  test('a browser with its cookie and the exact Origin, and no other page', async () => {
    const { url } = await newTerminal()
    const response = await fetch(host.server.openUrl(), { redirect: 'manual' })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const client = await TtydClient.connect(url, { headers: { cookie, origin: host.server.origin } })
    await until(() => client.preferences.length > 0)
    client.close()
    for (const origin of ['http://localhost:9999', 'null', 'http://evil.com']) {
      expect((await refused(url, { headers: { cookie, origin } })).status).toBe(403)
    }
    expect((await refused(url, { headers: { cookie } })).status).toBe(403)
  })

  test('another token in the first frame closes with 1008', async () => {
    const { url } = await newTerminal()
    const other = host.tokens.add('other', { scopes: SCOPES, projects: null })
    for (const authToken of ['wrong', other]) {
      const client = await connect(url, { authToken })
      await until(() => client.closed)
      expect(client.closed?.code).toBe(1008)
      expect(client.frames).toEqual([])
    }
  })

  test('a token that may only read watches at the size there is, and is closed when it types', async () => {
    const { url, program } = await newTerminal()
    const token = host.tokens.add('watcher', { scopes: ['read'], projects: null })
    const client = await connect(url, { headers: bearer(token), columns: 40, rows: 12 })
    await until(() => client.preferences.length > 0)
    client.resize(50, 10)
    client.type('rm -rf /\r')
    await until(() => client.closed)
    expect(client.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('watcher') })
    expect(program.heard).toEqual([])
    expect(program.resizes).toEqual([])
    const killer = host.tokens.add('killer', { scopes: ['kill'], projects: null })
    expect(await refused(url, { headers: bearer(killer) })).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('a token of another project finds no terminal, as if there were none', async () => {
    const { url } = await newTerminal()
    const token = host.tokens.add('elsewhere', { scopes: SCOPES, projects: ['/tmp'] })
    expect(await refused(url, { headers: bearer(token) })).toEqual({ status: 404, code: 'SESSION_NOT_FOUND' })
  })

  test('a token that is revoked loses its open terminals at once', async () => {
    const { url, program } = await newTerminal()
    const token = host.tokens.add('fired', { scopes: SCOPES, projects: null })
    const client = await connect(url, { headers: bearer(token) })
    await until(() => client.preferences.length > 0)
    host.tokens.revoke('fired')
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1008)
    program.emit('secret')
    expect(client.output.toString()).not.toContain('secret')
  })
})

test('a program that does not read holds its typist back, and gets every byte in order in the end', async () => {
  const { url, program } = await newTerminal()
  const client = await connect(url)
  await until(() => client.preferences.length > 0)
  let release = () => undefined as undefined
  const blocked = new Promise<void>((resolve) => {
    release = () => resolve() as undefined
  })
  host.backend.delay('write', blocked)
  const pieces = Array.from({ length: 64 }, (_, index) => `${index},`.padEnd(100_000, 'x'))
  for (const piece of pieces) client.type(piece)
  const other = await connect((await newTerminal()).url)
  await until(() => other.preferences.length > 0)
  release()
  const sent = pieces.join('')
  await until(() => program.heard.join('').length >= sent.length)
  expect(program.heard.join('') === sent).toBe(true)
  host.backend.delay('write', Promise.resolve())
  other.close()
  client.close()
})

describe('what is no use', () => {
  test('unknown terminals 404; no, empty, doubled or unknown parameters 400', async () => {
    const { url } = await newTerminal()
    const { wsUrl } = host.server
    expect(await refused(`${wsUrl}?arg=nope`)).toEqual({ status: 404, code: 'SESSION_NOT_FOUND' })
    for (const bad of [
      wsUrl,
      `${wsUrl}?arg=`,
      `${url}&arg=other`,
      `${url}&x=1`,
      `${url}&from=-1`,
      `${url}&from=a`,
      `${url}&from=`
    ]) {
      expect([bad, await refused(bad)]).toEqual([bad, { status: 400, code: 'INVALID_ARGUMENTS' }])
    }
  })

  test.each(['0ls', '', 'x', '[]', '{"columns":"wide"}', '{'])(
    'the first frame %j closes with 1008 and a reason',
    async (frame) => {
      const { url, program } = await newTerminal()
      const client = await TtydClient.dial(url, { headers: bearer() })
      client.send(frame)
      await until(() => client.closed)
      expect(client.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('AuthToken') })
      expect(program.heard).toEqual([])
    }
  )

  test.each(['9x', '', '1', '1{"columns":80}', '1nonsense'])('the later frame %j closes with 1008', async (frame) => {
    const { url } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    client.send(frame)
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1008)
  })

  test('a frame over 4 MiB closes with 1009, and the terminal lives on', async () => {
    const { url, program } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    client.type('x'.repeat(5 * 1024 * 1024))
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1009)
    const next = await connect(url)
    next.type('ok')
    await until(() => program.heard.includes('ok'))
    next.close()
  })

  test('the doors close with 1001', async () => {
    const { url } = await newTerminal()
    const client = await connect(url)
    await until(() => client.preferences.length > 0)
    await host.reopen()
    await until(() => client.closed)
    expect(client.closed?.code).toBe(1001)
  })
})

describe('the UI channel', () => {
  async function openUi(): Promise<{
    socket: WebSocket
    messages: Record<string, unknown>[]
    closed: () => number | undefined
  }> {
    const response = await fetch(host.server.openUrl(), { redirect: 'manual' })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const url = host.server.wsUrl.replace(/\/ws$/, '/ui')
    const socket = new WebSocket(url, { headers: { cookie, origin: host.server.origin } })
    const messages: Record<string, unknown>[] = []
    let code: number | undefined
    socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
    socket.on('close', (given) => {
      code = given
    })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return { socket, messages, closed: () => code }
  }

  test('answers the window’s calls and tells of changes', async () => {
    const { socket, messages } = await openUi()
    let id = 0
    const call = async (name: string, ...args: unknown[]) => {
      const own = ++id
      socket.send(JSON.stringify({ id: own, call: name, args }))
      return (await until(() => messages.find((message) => message.id === own))).result
    }
    const workspace = { project: host.project, session: 'ui' }
    const created = (await call('createTerminal', workspace, 'tab')) as { ok: true; value: { id: string } }
    expect(created).toMatchObject({ ok: true, value: { tmuxSession: expect.stringMatching(/^mc-ui-/) } })
    await until(() => messages.some((message) => message.event === 'workspaceChanged'))
    expect(messages.find((message) => message.event)).toEqual({ event: 'workspaceChanged', args: [workspace] })
    expect(await call('listTerminals', workspace)).toMatchObject({ ok: true, value: [{ name: 'tab' }] })
    expect(await call('renameTerminal', workspace, created.value.id, 'other')).toEqual({ ok: true, value: true })
    expect(await call('reorderTerminals', workspace, [created.value.id])).toEqual({ ok: true, value: true })
    expect(await call('listWorkspaces')).toMatchObject({ ok: true })
    expect(await call('hostInfo')).toEqual({
      ok: true,
      value: {
        version: '1.2.3',
        homeProject: host.project,
        notices: [{ text: 'a notice' }],
        startedAt: expect.any(String)
      }
    })
    expect(await call('killTerminal', workspace, created.value.id)).toEqual({ ok: true, value: true })
    expect(await call('killTerminal', workspace, created.value.id)).toEqual({ ok: true, value: false })
    expect(await call('nope')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect(await call('toString')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect(await call('listTerminals', { project: '/', session: 'a', x: 1 })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('x') }
    })
    expect(await call('listTerminals')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
    expect(await call('hostInfo', 1)).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
    socket.terminate()
  })

  test('answers a burst of calls completely', async () => {
    const { socket, messages } = await openUi()
    for (let id = 0; id < 500; id++) socket.send(JSON.stringify({ id, call: 'hostInfo', args: [] }))
    await until(() => messages.length === 500)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(500)
    socket.terminate()
  })

  test.each(['x', '{}', '{"id":1,"call":"hostInfo"}', '{"id":"1","call":"hostInfo","args":[]}', '[]'])(
    '%j closes it with 1008',
    async (frame) => {
      const { socket, closed } = await openUi()
      socket.send(frame)
      await until(closed)
      expect(closed()).toBe(1008)
    }
  )
})
