import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEndpoint } from '../../src/core/data/discovery'
import { count } from '../harness/counts'
import { ERAS, type McpAnswer } from '../harness/mcpClients'
import { bridgeIn, connectStdio, type StdioClient } from '../harness/stdioClients'
import { makeWorld, processesOf, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'

// What becomes of an agent's calls when its host is killed and stopped.

/** No call takes longer, whatever the host does. */
const LONGEST_CALL_MS = 45_000

let world: World
let clients: StdioClient[]
let tandem: Tandem | undefined

beforeEach(() => {
  world = makeWorld()
  clients = []
  tandem = undefined
})
afterEach(async () => {
  for (const client of clients) await client.close()
  await tandem?.end('SIGKILL')
  await world.remove()
})

async function connect(era: (typeof ERAS)[number]): Promise<StdioClient> {
  const client = await connectStdio(era, world, { process: bridgeIn(world) })
  clients.push(client)
  return client
}

const workspace = () => ({ project: world.project, session: 'work' })
const textOf = (answer: McpAnswer) => answer.content[0]?.text ?? ''
const codeOf = (answer: McpAnswer) => (answer.isError ? textOf(answer).split(':')[0] : 'done')
const create = (client: StdioClient, name: string) =>
  inTime(client.call('terminal_create_session', { ...workspace(), name }))
async function names(client: StdioClient): Promise<string[]> {
  const { structuredContent } = await client.call('terminal_list_sessions', workspace())
  const { sessions } = structuredContent as { sessions: { name: string }[] }
  return sessions.map(({ name }) => name)
}
async function inTime(call: Promise<McpAnswer>): Promise<McpAnswer> {
  const startedMs = performance.now()
  const answer = await call
  expect(performance.now() - startedMs, textOf(answer)).toBeLessThan(LONGEST_CALL_MS)
  return answer
}
const host = () => readEndpoint(world.dataDir)
const hosts = () =>
  processesOf(world.root).filter((pid) => {
    const words = commandLine(pid)
    return words.includes('serve') && words.includes(world.dataDir)
  })
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // gone meanwhile
  }
}

test(
  'under load each create is done once, repeated or not, while the host is killed again and again, and none needs a new client',
  async () => {
    const restarts = count({ small: 3, full: 50 })
    const agents = await Promise.all(ERAS.map((era) => connect(era)))
    const done: string[] = []
    const repeats: string[] = []
    let isOver = false
    let underWay = 0
    const ask = async (agent: StdioClient, name: string) => {
      underWay++
      return codeOf(await create(agent, name).finally(() => underWay--))
    }
    const work = agents.map(async (agent, index) => {
      for (let turn = 0; !isOver; turn++) {
        const name = `agent ${index} call ${turn}`
        for (let code = await ask(agent, name); code !== 'done'; code = await ask(agent, name)) {
          expect(['OUTCOME_UNKNOWN', 'HOST_UNAVAILABLE']).toContain(code)
          repeats.push(code ?? '')
        }
        done.push(name)
        await pause(50)
      }
    })
    for (let turn = 0; turn < restarts; turn++) {
      const pid = (await until(() => host(), { what: 'a host' })).pid
      await until(() => done.length > turn && underWay > 0, { what: 'work' })
      // Before, while and after the call is carried out.
      await pause((turn * 13) % 70)
      process.kill(pid, 'SIGKILL')
      await until(() => host() && host()?.pid !== pid, { what: 'another host' })
    }
    isOver = true
    await Promise.all(work)
    const listed = await names(agents[0] as StdioClient)
    expect(listed.toSorted()).toEqual(done.toSorted())
    const unknown = repeats.filter((code) => code === 'OUTCOME_UNKNOWN').length
    process.stdout.write(
      `${restarts} hosts killed, ${done.length} creates, repeated ${repeats.length}, unknown ${unknown}\n`
    )
    // One that came too late to own the data dir goes by itself.
    await until(() => hosts().length === 1, { what: 'one host to be left' })
    expect(agents.flatMap(({ errors }) => errors)).toEqual([])
  },
  count({ small: 120_000, full: 900_000 })
)

test('calls to a stopped host end in a coded error, and what it does later is not done again', async () => {
  tandem = await Tandem.start(world)
  const client = await connect('2026')
  await create(client, 'before')
  process.kill(tandem.ready.pid, 'SIGSTOP')
  const reading = inTime(client.call('terminal_list_sessions', workspace()))
  const [lost, unread] = await Promise.all([create(client, 'once'), reading])
  expect(textOf(lost)).toMatch(/^OUTCOME_UNKNOWN: /)
  expect(textOf(unread)).toMatch(/^HOST_UNAVAILABLE: /)
  process.kill(tandem.ready.pid, 'SIGCONT')
  expect((await create(client, 'once')).isError).toBeFalsy()
  expect(await names(client)).toEqual(['before', 'once'])
}, 240_000)

test('everything stopped at once goes on as if nothing had been', async () => {
  tandem = await Tandem.start(world)
  const client = await connect('2025')
  await create(client, 'before')
  const pids = [client.pid, tandem.ready.pid]
  process.kill(tandem.ready.pid, 'SIGSTOP')
  // By its own clock, which runs on, the client waits longer than a call may take.
  const pending = client.call('terminal_create_session', { ...workspace(), name: 'during' })
  await pause(200)
  process.kill(client.pid, 'SIGSTOP')
  await pause(count({ small: 2000, full: 60_000 }))
  for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT')
  expect((await pending).isError).toBeFalsy()
  expect(await names(client)).toEqual(['before', 'during'])
}, 240_000)
