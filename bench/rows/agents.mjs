import * as pty from 'node-pty'
import { connectMcp } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median } from '../measure.mjs'

const AGENTS = 16
const ROW = { unit: 'ms', better: 'lower' }

/** A command through MCP, beside twice a call that does nothing plus the same command in a bare shell. */
export const agentsRow = {
  id: 'agents',
  async open(world) {
    const times = world.quick ? 20 : 100
    const host = await startHost(world)
    const agents = await Promise.all(Array.from({ length: AGENTS }, () => newAgent(host, world.project)))
    const [first] = agents
    const bare = await bareShell()
    const ways = {
      call: () => first.agent.call('list_terminals', { session_id: 'none' }),
      shell: () => bare.run('true'),
      one: () => run(first, 0)
    }
    const together = (agent, index) => timed(Math.ceil(times / 4), () => run(agent, index))
    return {
      rows: [
        { ...ROW, key: 'one', name: 'execute_shell of `true`', target: { of: 'ratio', atMost: 1 } },
        { ...ROW, key: 'call', name: 'a tool call that does nothing' },
        { ...ROW, key: 'shell', name: '`true` in a bare pty' },
        { ...ROW, key: 'each', name: `execute_shell of \`true\`, each of ${AGENTS} agents at once` }
      ],
      both: async () => {
        const { call, shell, one } = await timedInTurn(times, ways)
        const each = median(await Promise.all(agents.map(together)))
        return { limit: { one: 2 * call + shell }, product: { one, call, shell, each }, points: {} }
      },
      close: async () => {
        bare.end()
        for (const { agent, terminal_id } of agents) {
          await agent.call('close_terminal', { terminal_id })
          await agent.close()
        }
        await host.stop()
      }
    }
  }
}

async function newAgent(host, project) {
  const agent = await connectMcp(host)
  const { terminal_id } = await agent.call('open_new_terminal', { project, shell: 'bash' })
  await agent.call('execute_shell', { terminal_id, command: 'true' })
  return { agent, terminal_id }
}

/** Nothing may be lost or mixed up, however many run. */
async function run({ agent, terminal_id }, index) {
  const command = index === 0 ? 'true' : `echo ${index}; (exit ${index})`
  const { output, exit_code } = await agent.call('execute_shell', { terminal_id, command })
  if (exit_code !== index || output !== (index === 0 ? '' : `${index}`)) {
    throw new Error(`agent ${index} was told ${exit_code} and "${output}"`)
  }
}

/** One of each at a time: a machine that is busy for a moment is so for all of them. */
async function timedInTurn(times, ways) {
  const taken = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let round = 0; round < times; round += 1) {
    for (const [way, work] of Object.entries(ways)) taken[way].push(await timed(1, work))
  }
  return Object.fromEntries(Object.entries(taken).map(([way, times]) => [way, median(times)]))
}

async function timed(times, work) {
  const taken = []
  while (taken.length < times) {
    const began = performance.now()
    await work()
    taken.push(performance.now() - began)
  }
  return median(taken)
}

/** A shell on a pty with nothing around it: from Enter to the next prompt. */
async function bareShell() {
  const child = pty.spawn('bash', ['--norc', '--noprofile'], {
    env: { ...process.env, PS1: 'READY>' },
    cols: 80,
    rows: 24
  })
  let text = ''
  let look = () => undefined
  child.onData((data) => {
    text += data
    look()
  })
  const prompted = () =>
    new Promise((resolve) => {
      look = () => text.includes('READY>') && resolve()
      look()
    })
  await prompted()
  return {
    run: (command) => {
      text = ''
      child.write(`${command}\r`)
      return prompted()
    },
    end: () => child.kill('SIGKILL')
  }
}
