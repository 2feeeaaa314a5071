import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp, ERAS, type McpClient } from '../harness/mcpClients'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { TOOL_SAMPLES } from '../harness/toolSamples'
import { TtydClient, TtydRefused } from '../harness/ttydClient'
import type { Created, Listed } from '../harness/workspace'

// Agents with a token each: what one may not see does not exist for it, and no answer goes to another.

interface Agent {
  name: string
  project: string
  token: string
  terminal: Created
}

/** What is named in a call: a place, and a terminal in it. */
interface Target {
  project: string
  handle: string
}

let world: World
let tandem: Tandem
let agents: [Agent, Agent]
let nowhere: string

beforeAll(async () => {
  world = makeWorld()
  nowhere = join(world.root, 'nowhere')
  tandem = await Tandem.start(world)
  agents = [await makeAgent('first'), await makeAgent('second')]
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

const bearer = ({ token }: Agent) => ({ authorization: `Bearer ${token}` })

async function makeAgent(name: string): Promise<Agent> {
  const project = join(world.root, name)
  mkdirSync(project)
  const added = await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', name, '--project', project])
  const agent = { name, project, token: added.stdout.trim() }
  const request = { project, session: 'work', name: `of ${name}` }
  const { body } = await tandem.api('POST', '/api/terminal/sessions', request, {
    authorization: `Bearer ${agent.token}`
  })
  return { ...agent, terminal: body as unknown as Created }
}

/** An answer without the words the caller put into it. */
const anonymous = (answer: unknown, { project, handle }: Target) =>
  JSON.stringify(answer).replaceAll(project, 'PROJECT').replaceAll(handle, 'HANDLE')

/** Handles of the other's terminal, each beside one of the same form that nobody has. */
function handlesOf({ terminal: { id, tmuxSession } }: Agent): [string, string][] {
  return [
    [id, '00000000-0000-4000-8000-000000000000'],
    [id.toUpperCase(), '00000000-0000-4000-8000-00000000000A'],
    [`sess_${id.slice(0, 8)}`, 'sess_00000000'],
    [tmuxSession, 'mc-work-zzzz'],
    [`=${tmuxSession}:`, '=mc-work-zzzz:'],
    [tmuxSession.slice(0, -2), 'mc-work-zz']
  ]
}

/** Ways to name the other's project, each beside one of the same form that leads nowhere. */
function projectsOf(own: Agent, other: Agent): [string, string][] {
  const link = join(own.project, `link-to-${other.name}`)
  symlinkSync(other.project, link)
  return [
    [other.project, nowhere],
    [`${other.project}/.`, `${nowhere}/.`],
    [`${own.project}/../${other.name}`, `${own.project}/../nowhere`],
    [link, join(own.project, 'no-link')],
    [world.root, nowhere]
  ]
}

async function overHttp(agent: Agent, target: Target): Promise<string[]> {
  const query = new URLSearchParams({ project: target.project, session: 'work' })
  const one = `/api/terminal/sessions/${encodeURIComponent(target.handle)}?${query}`
  const calls: [method: string, path: string, body?: unknown][] = [
    ['DELETE', one],
    ['PATCH', one, { name: 'stolen' }],
    ['PUT', `/api/terminal/sessions/reorder?${query}`, { orderedIds: [target.handle] }]
  ]
  // In its own project an agent may list, create and remove.
  if (target.project !== agent.project) {
    calls.push(['GET', `/api/terminal/sessions?${query}`])
    calls.push(['POST', '/api/terminal/sessions', { project: target.project, session: 'work' }])
    calls.push(['DELETE', `/api/workspaces?${query}`])
  }
  const answers: string[] = []
  for (const [method, path, body] of calls) {
    answers.push(anonymous(await tandem.api(method, path, body, bearer(agent)), target))
  }
  return answers
}

async function overSocket(agent: Agent, handle: string): Promise<string> {
  const url = `${tandem.ready.wsUrl}?arg=${encodeURIComponent(handle)}`
  try {
    const client = await TtydClient.connect(url, { headers: bearer(agent) })
    client.close()
    return 'let in'
  } catch (refused) {
    if (!(refused instanceof TtydRefused)) throw refused
    return `${refused.status} ${refused.body.replaceAll(handle, 'HANDLE')}`
  }
}

/** Every tool that takes a terminal, or, in a project that is not the agent's own, every tool that takes a place. */
async function byEveryTool(client: McpClient, own: Agent, target: Target): Promise<string[]> {
  const { project, handle } = target
  const place = { project, session: 'work', terminal: { id: handle, tmuxSession: handle, wsUrl: '' } }
  const answers: string[] = []
  for (const { name } of await client.listTools()) {
    const given = TOOL_SAMPLES[name]?.(place) ?? {}
    const takesHandle = Object.values(given).flat().includes(handle)
    const takesProject = ('project' in given || 'cwd' in given) && project !== own.project
    if (!takesHandle && !takesProject) continue
    answers.push(`${name} ${anonymous(await client.call(name, given), target)}`)
  }
  return answers
}

async function expectUntouched(): Promise<void> {
  for (const agent of agents) {
    const query = new URLSearchParams({ project: agent.project, session: 'work' })
    const { body } = await tandem.api('GET', `/api/terminal/sessions?${query}`)
    const sessions = body.sessions as unknown as Listed[]
    expect(sessions.map(({ name, state }) => [name, state])).toEqual([[`of ${agent.name}`, 'running']])
  }
}

describe('another agent’s terminals', () => {
  test('are refused on every door exactly as if they did not exist', { timeout: LIMIT_MS }, async () => {
    for (const [own, other] of [agents, [agents[1], agents[0]]] as [Agent, Agent][]) {
      const projects: [string, string][] = [[own.project, own.project], ...projectsOf(own, other)]
      for (const [handle, unknown] of handlesOf(other)) {
        expect(await overSocket(own, handle), handle).toBe(await overSocket(own, unknown))
        expect(await overSocket(own, handle), handle).toMatch(/^404 .*SESSION_NOT_FOUND/)
        for (const [project, absent] of projects) {
          const asked = await overHttp(own, { project, handle })
          expect(asked, project).toEqual(await overHttp(own, { project: absent, handle: unknown }))
        }
      }
    }
    await expectUntouched()
  })

  test.each(ERAS)('are refused by every tool of the %s protocol exactly as if they did not exist', async (era) => {
    const [own, other] = agents
    const client = await connectMcp(era, { url: tandem.ready.mcpUrl, token: own.token })
    for (const [handle, unknown] of handlesOf(other)) {
      for (const [project, absent] of [
        [own.project, own.project],
        [other.project, nowhere]
      ] as const) {
        const asked = await byEveryTool(client, own, { project, handle })
        expect(asked.length).toBeGreaterThanOrEqual(3)
        expect(asked).toEqual(await byEveryTool(client, own, { project: absent, handle: unknown }))
      }
    }
    await client.close()
    await expectUntouched()
  })

  test('are in no list, summary or trail that a limited agent can read', async () => {
    for (const [own, other] of [agents, [agents[1], agents[0]]] as [Agent, Agent][]) {
      for (const path of ['/api/workspaces', '/api/audit', '/api/openapi.json']) {
        const answer = JSON.stringify(await tandem.api('GET', path, undefined, bearer(own)))
        for (const secret of [other.project, other.terminal.id, other.terminal.tmuxSession]) {
          expect(answer, path).not.toContain(secret)
        }
      }
      expect((await tandem.api('POST', '/api/open-code', {}, bearer(own))).status).toBe(401)
    }
    await expectUntouched()
  })
})

test('clients of both protocols with the same request ids all get their own answers', {
  timeout: LIMIT_MS
}, async () => {
  const clientCount = count({ small: 10, full: 50 })
  const callCount = count({ small: 20, full: 200 })
  const { url, token } = { url: tandem.ready.mcpUrl, token: tandem.ready.token }
  const clients = await Promise.all(
    Array.from({ length: clientCount }, (_, index) => connectMcp(index % 2 === 0 ? '2026' : '2025', { url, token }))
  )
  const wrong: string[] = []
  await Promise.all(
    clients.map(async (client, own) => {
      for (let call = 0; call < callCount; call++) {
        const nonce = `/nowhere/client-${own}-call-${call}-end`
        const answer = await client.call('terminal_list_sessions', { project: nonce, session: 'x' })
        if (!answer.content[0]?.text?.includes(nonce)) wrong.push(`${nonce}: ${answer.content[0]?.text}`)
      }
    })
  )
  await Promise.all(clients.map((client) => client.close()))
  expect(wrong).toEqual([])
})
