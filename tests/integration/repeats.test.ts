import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEndpoint } from '../../src/core/data/discovery'
import { connectMcp, ERAS, type McpAnswer } from '../harness/mcpClients'
import { connectStdio } from '../harness/stdioClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

// Creates that are repeated after the host was killed: each is done once, whichever door it came by.

let world: World
let tandem: Tandem | undefined
const closings: (() => Promise<unknown>)[] = []

beforeEach(() => {
  world = makeWorld()
})
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
  await tandem?.end('SIGKILL')
  await world.remove()
})

const KEY = { 'tandem/idempotencyKey': 'the-same-key' }
const workspace = () => ({ project: world.project, session: 'work' })
// Tandem's own session, which keeps the server, does not count.
const sessionsInTmux = () => world.tmux('list-sessions', '-F', '#{session_name}').match(/^mc-.+$/gm) ?? []
const textOf = (answer: McpAnswer) => answer.content[0]?.text ?? ''

async function restart(): Promise<Tandem> {
  await tandem?.end('SIGKILL')
  tandem = await Tandem.start(world)
  return tandem
}

test('over HTTP: the same Idempotency-Key gets the same terminal from the host that comes after', async () => {
  const create = async (host: Tandem, name?: string) => {
    const response = await fetch(`${host.ready.url}/api/terminal/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${host.ready.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'the-same-key'
      },
      body: JSON.stringify({ ...workspace(), ...(name === undefined ? {} : { name }) })
    })
    return { status: response.status, body: (await response.json()) as { id: string; tmuxSession: string } }
  }
  const first = await create(await restart())
  const second = await create(await restart())
  expect(second).toMatchObject({ status: 200, body: { id: first.body.id, tmuxSession: first.body.tmuxSession } })
  expect(sessionsInTmux()).toEqual([first.body.tmuxSession])
  expect(await create(await restart(), 'another request')).toMatchObject({
    status: 400,
    body: { error: { code: 'INVALID_ARGUMENTS' } }
  })
})

test('over MCP: a 2026 client is the same caller for the next host, and gets the same terminal from every create', async () => {
  const creates: [string, Record<string, unknown>][] = [
    ['terminal_create_session', workspace()],
    ['open_new_terminal', { project: world.project }],
    ['create_tracked_terminal', { cwd: world.project }],
    ['terminal__create_session', { project: world.project, program: 'cat' }]
  ]
  const answers: unknown[][] = []
  for (let round = 0; round < 2; round++) {
    const host = await restart()
    const client = await connectMcp('2026', { url: host.ready.mcpUrl, token: host.ready.token })
    const ids: unknown[] = []
    for (const [tool, args] of creates) {
      const { structuredContent = {} } = await client.call(tool, args, { 'tandem/idempotencyKey': tool })
      ids.push(structuredContent.id ?? structuredContent.terminal_id ?? structuredContent.terminalId)
    }
    answers.push(ids)
    await client.close()
  }
  expect(answers[1]).toEqual(answers[0])
  expect(sessionsInTmux()).toHaveLength(creates.length)
})

describe.each(ERAS)('through tandem mcp, for a client of %s', (era) => {
  test('a create with a key is done once, whatever becomes of the host in between', async () => {
    await restart()
    const client = await connectStdio(era, world)
    closings.push(() => client.close())
    const first = await client.call('terminal_create_session', workspace(), KEY)
    await restart()
    const second = await client.call('terminal_create_session', workspace(), KEY)
    expect(second.structuredContent).toMatchObject({ id: first.structuredContent?.id })
    expect(sessionsInTmux()).toHaveLength(1)
  })

  test('a create whose answer was lost with the host is repeated as it was, and answered with what it made', async () => {
    await restart()
    const client = await connectStdio(era, world)
    closings.push(() => client.close())
    // It is there at once, and its answer waits for a prompt that never comes.
    const asked = { project: world.project, program: 'cat', wait_ready: true, ready_timeout_ms: 6000 }
    const pending = client.call('terminal__create_session', asked)
    const made = await until(() => firstInTmux(), { what: 'the terminal' })
    process.kill(readEndpoint(world.dataDir)?.pid ?? 0, 'SIGKILL')
    expect(textOf(await pending)).toMatch(/^OUTCOME_UNKNOWN: .*\n.*A create can be repeated exactly as it was/)
    const again = await client.call('terminal__create_session', { ...asked })
    expect(again.structuredContent, textOf(again)).toMatchObject({ tmuxSession: made })
    expect(sessionsInTmux()).toEqual([made])
    // Answered now, so the next one is another.
    const other = await client.call('terminal__create_session', { ...asked, wait_ready: true, ready_timeout_ms: 1 })
    expect(other.structuredContent?.tmuxSession).not.toBe(made)
  })
})

function firstInTmux(): string | undefined {
  try {
    return sessionsInTmux()[0]
  } catch {
    return undefined // no server yet
  }
}
