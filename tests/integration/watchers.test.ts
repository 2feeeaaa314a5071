import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { connectMcp, ERAS, type McpClient } from '../harness/mcpClients'

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

async function makeTerminal(session: string): Promise<string> {
  const { record } = await host.workspaces.create(OWNER, { project: host.project, session })
  host.backend.program(record.id).emit('something to find\r\n')
  return record.id
}

const activityOf = (id: string) => host.workspaces.activity.all().find((activity) => activity.id === id)
const watchersOf = (id: string) => activityOf(id)?.watchers.map(({ name }) => name)

/** Every tool that hands out what a terminal shows, by the field that names the terminal. */
const READS = {
  terminal__read: (session_id: string) => ({ session_id }),
  read_terminal_output: (terminal_id: string) => ({ terminal_id }),
  get_terminal_buffer: (terminalId: string) => ({ terminalId }),
  search_terminal_buffer: () => ({ query: 'something to find' })
}

describe.each(ERAS)('a client of the %s protocol', (era) => {
  async function connect(clientName: string, token = host.owner): Promise<McpClient> {
    const client = await connectMcp(era, { url: host.server.mcpUrl, token, clientName })
    opened.push(client)
    return client
  }

  test.each(Object.entries(READS))('that reads with %s watches the terminal', async (tool, argumentsFor) => {
    const id = await makeTerminal(`${tool}-${era}`)
    const codex = await connect('codex')
    expect(watchersOf(id)).toEqual([])
    expect((await codex.call(tool, argumentsFor(id))).isError).not.toBe(true)
    expect(watchersOf(id)).toEqual(['codex'])
    expect(activityOf(id)).toMatchObject({ holder: null, agent: null })
  })

  test('that reads or follows a resource of it watches the terminal; one that lists it does not', async () => {
    const [read, followed] = [await makeTerminal(`resource-${era}`), await makeTerminal(`followed-${era}`)]
    const [codex, claude] = [await connect('codex'), await connect('claude-code')]
    await codex.listResources()
    await codex.call('terminal__list_sessions')
    await codex.call('terminal__get_info', { session_id: read })
    expect(watchersOf(read)).toEqual([])
    await codex.read(`terminal://${read}/screen`)
    expect(watchersOf(read)).toEqual(['codex'])
    const following = await claude.follow([`terminal://${followed}/log`], () => undefined)
    await expect.poll(() => watchersOf(followed)).toEqual(['claude-code'])
    await following.stop()
  })

  test('that types is no watcher; while it waits in a read it is one', async () => {
    const id = await makeTerminal(`types-${era}`)
    const codex = await connect('codex')
    await codex.call('terminal__read', { session_id: id })
    await codex.call('terminal__send', { session_id: id, text: 'ls', submit: true })
    expect(activityOf(id)).toMatchObject({ watchers: [], holder: { name: 'codex' } })
    const reading = codex.call('terminal__read', { session_id: id, wait_for: 'the end', timeout_ms: 30_000 })
    await expect.poll(() => watchersOf(id)).toEqual(['codex'])
    host.backend.program(id).emit('the end\r\n')
    await reading
  })

  test('that may not see a terminal is not shown as watching it', async () => {
    const id = await makeTerminal(`hidden-${era}`)
    const stranger = await connect(
      'stranger',
      host.tokens.add(`stranger-${era}`, { scopes: SCOPES, projects: [host.root] })
    )
    for (const [tool, argumentsFor] of Object.entries(READS)) await stranger.call(tool, argumentsFor(id))
    expect(watchersOf(id)).toEqual([])
  })
})
