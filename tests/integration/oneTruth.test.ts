import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectMcp, ERAS, type McpClient } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { type Created, type Listed, WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
const agents: McpClient[] = []

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  const { mcpUrl: url, token } = tandem.ready
  for (const era of ERAS) agents.push(await connectMcp(era, { url, token }))
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()))
  await tandem.end('SIGTERM')
  await world.remove()
})

/** What a person or an agent can do with a workspace, through one of the doors. */
interface Door {
  name: string
  create(name?: string): Promise<Created>
  list(): Promise<Listed[]>
  rename(id: string, name: string): Promise<boolean>
  reorder(ids: string[]): Promise<boolean>
  kill(id: string): Promise<boolean>
}

function mcpDoor(agent: McpClient, session: string): Door {
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    const answer = await agent.call(tool, { project: world.project, session, ...args })
    if (answer.isError) throw new Error(answer.content[0]?.text)
    return answer.structuredContent as unknown as { success: boolean; sessions: Listed[] } & Created
  }
  return {
    name: `MCP ${agent.protocolVersion}`,
    create: (name) => call('terminal_create_session', name === undefined ? {} : { name }),
    list: async () => (await call('terminal_list_sessions')).sessions,
    rename: async (id, name) => (await call('terminal_rename_session', { id, name })).success,
    reorder: async (orderedIds) => (await call('terminal_reorder_sessions', { orderedIds })).success,
    kill: async (id) => (await call('terminal_kill_session', { id })).success
  }
}

function httpDoor(session: string): Door {
  const client = new WorkspaceClient(() => tandem, session)
  return {
    name: 'HTTP',
    create: (name) => client.create(name),
    list: () => client.list(),
    rename: (id, name) => client.rename(id, name),
    reorder: (ids) => client.reorder(ids),
    kill: (id) => client.kill(id)
  }
}

const doorsTo = (session: string): Door[] => [...agents.map((agent) => mcpDoor(agent, session)), httpDoor(session)]

async function sameEverywhere(doors: Door[]): Promise<Listed[]> {
  const lists = await Promise.all(doors.map((door) => door.list()))
  for (const list of lists) expect(list).toEqual(lists[0])
  const [list = []] = lists
  expect(list.map(({ order }) => order)).toEqual(list.map((_, order) => order))
  return list
}

test('both protocol eras are really spoken', () => {
  expect(agents.map(({ protocolVersion }) => protocolVersion)).toEqual(['2026-07-28', '2025-11-25'])
})

test('each door alone creates, lists, renames, reorders and kills', async () => {
  for (const [index, door] of doorsTo('x').entries()) {
    const session = `alone-${index}`
    const alone = doorsTo(session)[index] as Door
    const [first, second, third] = [await alone.create(), await alone.create('  '), await alone.create('named')]
    expect(
      (await alone.list()).map(({ name }) => name),
      door.name
    ).toEqual(['Terminal 1', 'Terminal 2', 'named'])
    expect(first?.tmuxSession).toMatch(new RegExp(`^mc-alone-${index}-[a-z0-9]{4}$`))
    expect(first?.wsUrl).toBe(`${tandem.ready.wsUrl}?arg=${first?.tmuxSession}`)
    expect(await alone.rename(first?.id ?? '', '  ')).toBe(true)
    expect(await alone.rename('no-such-id', 'x')).toBe(false)
    expect(await alone.reorder([third?.id ?? '', first?.id ?? '', second?.id ?? ''])).toBe(true)
    expect((await alone.list()).map(({ name }) => name)).toEqual(['named', 'Terminal', 'Terminal 2'])
    expect(await alone.kill(first?.id ?? '')).toBe(true)
    expect(await alone.kill(first?.id ?? '')).toBe(false)
    const left = await alone.list()
    expect(left.map(({ name, order }) => [name, order])).toEqual([
      ['named', 0],
      ['Terminal 2', 1]
    ])
  }
})

test('what one door does, every other shows at once', async () => {
  const doors = doorsTo('mixed')
  const made: string[] = []
  for (let turn = 0; turn < 9; turn++) made.push((await (doors[turn % 3] as Door).create()).id)
  expect((await sameEverywhere(doors)).map(({ id }) => id)).toEqual(made)
  await doors[2]?.rename(made[0] ?? '', 'by HTTP')
  await doors[0]?.rename(made[1] ?? '', 'by MCP 2026')
  await doors[1]?.rename(made[2] ?? '', 'by MCP 2025')
  expect((await sameEverywhere(doors)).slice(0, 3).map(({ name }) => name)).toEqual([
    'by HTTP',
    'by MCP 2026',
    'by MCP 2025'
  ])
  await doors[1]?.reorder([...made].reverse())
  expect((await sameEverywhere(doors)).map(({ id }) => id)).toEqual([...made].reverse())
  for (const [index, id] of made.slice(0, 6).entries()) expect(await doors[index % 3]?.kill(id)).toBe(true)
  expect((await sameEverywhere(doors)).map(({ id }) => id)).toEqual([...made.slice(6)].reverse())
})

test('thirty changes at once through all doors leave one whole list', async () => {
  const doors = doorsTo('at-once')
  await Promise.all(Array.from({ length: 12 }, (_, turn) => (doors[turn % 3] as Door).create()))
  const list = await sameEverywhere(doors)
  expect(new Set(list.map(({ name }) => name)).size).toBe(12)
  expect(new Set(list.map(({ tmuxSession }) => tmuxSession)).size).toBe(12)
  await Promise.all(list.map(({ id }, turn) => (doors[turn % 3] as Door).rename(id, `renamed ${turn}`)))
  await Promise.all(list.slice(0, 6).map(({ id }, turn) => (doors[turn % 3] as Door).kill(id)))
  expect((await sameEverywhere(doors)).map(({ name }) => name)).toEqual(
    [6, 7, 8, 9, 10, 11].map((turn) => `renamed ${turn}`)
  )
})

test('a bad argument is refused by name, with its value, and nothing is half done', async () => {
  for (const agent of agents) {
    const door = mcpDoor(agent, 'refusals')
    await expect(door.reorder(['nope'])).rejects.toThrow('INVALID_ARGUMENTS')
    const unknown = await agent.call('terminal_create_session', {
      project: world.project,
      session: 'refusals',
      colour: 'red'
    })
    expect(unknown).toMatchObject({ isError: true })
    expect(unknown.content[0]?.text).toMatch(/^INVALID_ARGUMENTS: .*"colour"/)
    expect(unknown.structuredContent).toBeUndefined()
    const relative = await agent.call('terminal_create_session', { project: 'here', session: 'refusals' })
    expect(relative.content[0]?.text).toMatch(/^INVALID_ARGUMENTS: .*"here"/)
    expect(await door.list()).toEqual([])
  }
})
