import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { connectMcp, ERAS, type Era, type McpClient } from '../harness/mcpClients'
import { pause, until } from '../harness/waiting'

const OWNER = { name: 'owner', scopes: SCOPES, projects: null }

let host: DoorsHost
const opened: McpClient[] = []

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(async () => {
  for (const client of opened) await client.close()
  await host.close()
})

async function connect(era: Era, token = host.owner): Promise<McpClient> {
  const client = await connectMcp(era, { url: host.server.mcpUrl, token })
  opened.push(client)
  return client
}

async function makeTerminal(session: string, project = host.project) {
  const { record } = await host.workspaces.create(OWNER, { project, session })
  const { id } = record
  const kill = () => host.workspaces.kill(OWNER, { project, session }, id)
  return { id, kill, program: host.backend.program(id), screen: `terminal://${id}/screen`, log: `terminal://${id}/log` }
}

const address = (session: string, project = host.project) =>
  `workspace://${encodeURIComponent(project)}/${encodeURIComponent(session)}`

describe.each(ERAS)('resources for a client of the %s protocol', (era) => {
  test('screen, log and workspace are listed, described and read', async () => {
    const client = await connect(era)
    const terminal = await makeTerminal(`read/${era}`)
    terminal.program.emit('one\r\n\u001b[31mtwo\u001b[0m')
    expect(await client.listTemplates()).toEqual([
      'terminal://{id}/screen',
      'terminal://{id}/log',
      'workspace://{project}/{session}'
    ])
    const listed = (await client.listResources()).map(({ uri, mimeType }) => [uri, mimeType])
    const place = address(`read/${era}`)
    expect(listed).toEqual(
      expect.arrayContaining([
        [terminal.screen, 'text/plain'],
        [terminal.log, 'text/plain'],
        [place, 'application/json']
      ])
    )
    const [screen] = await client.read(terminal.screen)
    expect(screen).toMatchObject({ uri: terminal.screen, mimeType: 'text/plain' })
    expect(screen?.text?.split('\n').slice(0, 3)).toEqual(['one', 'two', ''])
    expect(screen?.text?.split('\n')).toHaveLength(24)
    expect(await client.read(terminal.log)).toEqual([
      expect.objectContaining({ mimeType: 'text/plain', text: 'one\r\n\u001b[31mtwo\u001b[0m' })
    ])
    const [workspace] = await client.read(place)
    expect(workspace?.mimeType).toBe('application/json')
    expect(JSON.parse(workspace?.text ?? '')).toMatchObject({ sessions: [{ id: terminal.id, state: 'running' }] })
  })

  test('any handle of a terminal names it', async () => {
    const client = await connect(era)
    const { id, program } = await makeTerminal(`handles-${era}`)
    program.emit('here')
    for (const handle of [id, `sess_${id.slice(0, 8)}`, program.tmuxSession]) {
      expect((await client.read(`terminal://${handle}/log`))[0]?.text).toBe('here')
    }
  })

  test('what is not there is an error of its own that names the address', async () => {
    const client = await connect(era)
    const unknown = '00000000-0000-4000-8000-000000000000'
    const addresses = [`terminal://${unknown}/screen`, `terminal://${unknown}/smell`, 'terminal://%/log', 'nowhere://x']
    for (const uri of [...addresses, `workspace://${encodeURIComponent('/does/not/exist')}/a`]) {
      await expect(client.read(uri), uri).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining(uri)
      })
      expect((await client.follow([uri], () => undefined)).uris).toEqual([])
    }
  })

  test('outside a token’s projects nothing exists; without the right to read nothing is read', async () => {
    const other = join(host.root, `other-${era}`)
    mkdirSync(other)
    const terminal = await makeTerminal(`secret-${era}`)
    const mine = await makeTerminal('mine', other)
    const limited = await connect(era, host.tokens.add(`limited-${era}`, { scopes: SCOPES, projects: [other] }))
    const listed = (await limited.listResources()).map(({ uri }) => uri)
    expect(listed).toEqual([address('mine', other), mine.screen, mine.log])
    const hidden = [terminal.screen, terminal.log, address(`secret-${era}`)]
    for (const uri of hidden) await expect(limited.read(uri), uri).rejects.toMatchObject({ code: -32_602 })
    expect((await limited.follow([...hidden, mine.log], () => undefined)).uris).toEqual([mine.log])
    const typist = await connect(era, host.tokens.add(`typist-${era}`, { scopes: ['type'], projects: null }))
    await expect(typist.read(terminal.screen)).rejects.toThrow(/UNAUTHORIZED/)
    await expect(typist.listResources()).rejects.toThrow(/UNAUTHORIZED/)
  })

  test('who follows is told of changes, of a flood only now and then, and of others’ terminals never', async () => {
    const client = await connect(era)
    const [terminal, other] = [await makeTerminal(`follow-${era}`), await makeTerminal(`follow-${era}`)]
    const place = address(`follow-${era}`)
    const told: string[] = []
    const following = await client.follow([terminal.screen, terminal.log, place], (uri) => told.push(uri))
    expect(following.uris).toEqual([terminal.screen, terminal.log, place])
    const count = (uri: string) => told.filter((each) => each === uri).length
    // A stream of 2025 is opened by the client once it is initialised: until it is there, nobody can be told.
    await until(() => {
      terminal.program.emit('.')
      return count(terminal.log) > 0 && count(terminal.screen) > 0
    })
    other.program.emit('not asked for')
    told.length = 0
    for (let line = 0; line < 2000; line++) {
      terminal.program.emit(`line ${line}\r\n`)
      if (line % 200 === 0) await pause(5)
    }
    await until(() => count(terminal.log) > 0)
    await pause(1200)
    expect(count(terminal.log)).toBeLessThan(100)
    expect((await client.read(terminal.log))[0]?.text).toContain('line 1999')
    await makeTerminal(`follow-${era}`)
    await until(() => count(place) > 0)
    expect(told.filter((uri) => uri.includes(other.id))).toEqual([])
    await following.stop()
    await pause(600)
    told.length = 0
    terminal.program.emit('after the end')
    await pause(600)
    expect(told).toEqual([])
  })

  test('a terminal that is closed is told of once, and what follows only it ends', async () => {
    const client = await connect(era)
    const terminal = await makeTerminal(`closed-${era}`)
    const told: string[] = []
    const following = await client.follow([terminal.screen], (uri) => told.push(uri))
    await until(() => {
      terminal.program.emit('.')
      return told.length > 0
    })
    await pause(1100)
    told.length = 0
    await terminal.kill()
    await until(() => told.length > 0)
    if (era === '2026') await following.ended
    await expect(client.read(terminal.screen)).rejects.toMatchObject({ code: -32_602 })
  })

  test('a revoked token hears nothing any more', async () => {
    const token = host.tokens.add(`leaving-${era}`, { scopes: SCOPES, projects: null })
    const client = await connect(era, token)
    const terminal = await makeTerminal(`revoked-${era}`)
    const told: string[] = []
    const following = await client.follow([terminal.log], (uri) => told.push(uri))
    await until(() => {
      terminal.program.emit('.')
      return told.length > 0
    })
    host.tokens.revoke(`leaving-${era}`)
    if (era === '2026') await following.ended
    await pause(600)
    told.length = 0
    terminal.program.emit('a secret')
    await pause(600)
    expect(told).toEqual([])
    await expect(client.read(terminal.log)).rejects.toThrow()
  })
})

test('two who follow the same terminal are each told once', async () => {
  const terminal = await makeTerminal('both')
  const heard: string[][] = [[], []]
  for (const told of heard) {
    await (await connect('2026')).follow([terminal.log], (uri) => told.push(uri))
  }
  terminal.program.emit('once')
  await until(() => heard.every((told) => told.length > 0))
  await pause(600)
  expect(heard.map((told) => told.length)).toEqual([1, 1])
})

test('nothing is watched for those who hung up or were sent away', async () => {
  const terminal = await makeTerminal('left')
  const watched = host.workspaces.terminal(OWNER, terminal.id)
  let watchers = 0
  const onOutput = watched.onOutput.bind(watched)
  watched.onOutput = (listener) => {
    watchers++
    const stop = onOutput(listener)
    return () => {
      watchers--
      stop()
    }
  }
  const leaving = await connect('2026')
  await leaving.follow([terminal.log], () => undefined)
  const revoked = await connect('2025', host.tokens.add('sent-away', { scopes: SCOPES, projects: null }))
  await revoked.follow([terminal.log, terminal.screen], () => undefined)
  expect(watchers).toBe(3)
  await leaving.close()
  host.tokens.revoke('sent-away')
  await until(() => watchers === 0)
})
