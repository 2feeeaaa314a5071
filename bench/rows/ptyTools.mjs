import * as pty from 'node-pty'
import { connectMcp, createTerminal, killTerminals } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median } from '../measure.mjs'

const AGENTS = 16
const PROMPT = '$ '
const ROW = { better: 'lower', unit: 'ms' }

/** A command by an agent until it is done, beside a call that does nothing and a shell in a bare pty. */
export const ptyToolsRow = {
  id: 'pty-tools',
  async open(world) {
    const count = world.quick ? 10 : 40
    const host = await startHost(world)
    const agent = await connectMcp(host)
    const { project } = world
    const [first] = await terminals(host, project, 1)
    const trivial = () => medianOf(count, () => agent.call('terminal_list_sessions', { project, session: 'nothing' }))
    await command(agent, first)
    return {
      rows: [
        { ...ROW, key: 'echo', name: 'echo hi by an agent until the prompt', target: { of: 'ratio', atMost: 2 } },
        { ...ROW, key: 'screen', name: 'a read of the screen, without the call', target: { of: 'product', atMost: 1 } },
        { ...ROW, key: 'many', name: `the same by ${AGENTS} agents on ${AGENTS} terminals, each` }
      ],
      limit: async () => ({ echo: (await trivial()) + (await bareEcho(world, count)) }),
      product: async () => {
        const read = await medianOf(count, () => agent.call('terminal__read', { session_id: first, view: 'screen' }))
        return {
          echo: await medianOf(count, () => command(agent, first)),
          screen: Math.max(0, read - (await trivial())),
          many: await manyAgents(host, project)
        }
      },
      async close() {
        await agent.close()
        await killTerminals(host, project)
        await host.stop()
      }
    }
  }
}

async function medianOf(count, work) {
  const taken = []
  while (taken.length < count) {
    const began = performance.now()
    await work()
    taken.push(performance.now() - began)
  }
  return median(taken)
}

async function terminals(host, project, count) {
  const made = []
  while (made.length < count) made.push((await createTerminal(host, project)).id)
  return made
}

async function command(agent, session_id) {
  const answer = await agent.call('terminal__send', { session_id, text: 'echo hi\n', read: { wait_for_prompt: true } })
  if (answer.read_result.fired !== 'prompt') throw new Error(`ended by ${answer.read_result.fired}`)
}

/** Any error ends the row. */
async function manyAgents(host, project) {
  const ids = await terminals(host, project, AGENTS)
  const times = await Promise.all(
    ids.map(async (id) => {
      const agent = await connectMcp(host)
      await command(agent, id)
      const ms = await medianOf(5, () => command(agent, id))
      await agent.close()
      return ms
    })
  )
  return median(times)
}

async function bareEcho({ project }, count) {
  const shell = pty.spawn('bash', ['--norc'], { cwd: project, env: { ...process.env, PS1: PROMPT }, encoding: null })
  let seen = ''
  let wake = () => undefined
  shell.onData((bytes) => {
    seen += bytes
    wake()
  })
  const prompted = async () => {
    while (!seen.endsWith(PROMPT)) await new Promise((resolve) => (wake = resolve))
    seen = ''
  }
  await prompted()
  const ms = await medianOf(count, async () => {
    shell.write('echo hi\r')
    await prompted()
  })
  shell.kill('SIGKILL')
  return ms
}
