import { setTimeout as pause } from 'node:timers/promises'
import { connectMcp, createTerminal, killTerminals } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median, percentile } from '../measure.mjs'

const TERMINALS = 100
const WORKSPACES = 10
const CLIENTS = 16
const CALLS_A_SECOND = 200
/** Every so many calls one writes: a rename, which is a save to disk and a new stamp. */
const WRITE_EVERY = 10

/** Many agents at once: 100 open terminals and 200 MCP calls a second, beside plain requests at the same rate. */
export const loadRow = {
  id: 'load',
  runs: 1,
  async open(world) {
    const seconds = world.quick ? 10 : 60
    const host = await startHost(world)
    const terminals = await openTerminals(world, host)
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectMcp(host)))
    return {
      rows: [
        { key: 'errors', name: 'load: failed calls', unit: '', better: 'lower', target: { of: 'product', atMost: 0 } },
        { key: 'p50', name: 'load: MCP call, p50', unit: 'ms', better: 'lower' },
        { key: 'p99', name: 'load: MCP call, p99', unit: 'ms', better: 'lower', target: { of: 'product', atMost: 50 } },
        {
          key: 'growth',
          name: 'load: growth of memory',
          unit: '%',
          better: 'lower',
          target: { of: 'product', atMost: 5 },
          slack: 5
        }
      ],
      limit: () => atRate(Math.min(10, seconds), () => health(host)),
      product: () => underLoad(world, { host, clients, terminals, seconds }),
      close: async () => {
        await Promise.all(clients.map((client) => client.close()))
        for (let number = 0; number < WORKSPACES; number += 1)
          await killTerminals(host, world.project, sessionOf(number))
        await host.stop()
      }
    }
  }
}

const sessionOf = (number) => `load-${number % WORKSPACES}`

async function openTerminals({ project }, host) {
  const terminals = []
  for (let number = 0; number < TERMINALS; number += 1) {
    terminals.push({ ...(await createTerminal(host, project, sessionOf(number))), session: sessionOf(number) })
  }
  return terminals
}

async function health({ url }) {
  const response = await fetch(`${url}/healthz`)
  if (!response.ok) throw new Error(`/healthz: ${response.status}`)
  await response.arrayBuffer()
}

async function underLoad({ project }, { host, clients, terminals, seconds }) {
  const use = (number) => {
    const client = clients[number % CLIENTS]
    const { id, session } = terminals[number % TERMINALS]
    if (number % WRITE_EVERY) return client.call('terminal_list_sessions', { project, session })
    return client.call('terminal_rename_session', { project, session, id, name: `load ${number}` })
  }
  const warmUp = await atRate(Math.min(10, seconds), use)
  const memory = watchMemory(host)
  const figures = await atRate(seconds, use)
  return { ...figures, errors: warmUp.errors + figures.errors, growth: await memory() }
}

/** Calls at a fixed rate however long each takes, and counts from when it was due: a host that stalls is not spared. */
async function atRate(seconds, use) {
  const [began, total] = [performance.now(), seconds * CALLS_A_SECOND]
  const times = []
  let errors = 0
  const one = async (number, due) => {
    try {
      await use(number)
      times.push(performance.now() - due)
    } catch (failure) {
      errors += 1
      if (errors <= 3) process.stderr.write(`bench: load: ${failure.message}\n`)
    }
  }
  const calls = []
  for (let number = 0; number < total; number += 1) {
    const due = began + (number * 1000) / CALLS_A_SECOND
    if (due > performance.now()) await pause(due - performance.now())
    calls.push(one(number, due))
  }
  await Promise.all(calls)
  return { errors, p50: percentile(times, 50), p99: percentile(times, 99) }
}

/** Samples the resident memory; the growth from the first third to the last, in percent. */
function watchMemory(host) {
  const samples = []
  const timer = setInterval(async () => samples.push((await host.ask('resident')).rssBytes), 500)
  return async () => {
    clearInterval(timer)
    const third = Math.ceil(samples.length / 3)
    const [before, after] = [median(samples.slice(0, third)), median(samples.slice(-third))]
    return Math.max(0, (after / before - 1) * 100)
  }
}
