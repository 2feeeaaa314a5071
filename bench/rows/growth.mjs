import { setTimeout as pause } from 'node:timers/promises'
import { call, createTerminal, killTerminals, openShell } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median } from '../measure.mjs'
import { echoThrough, startEcho } from '../parts/echo.mjs'

const STEPS = [1, 10, 100]
const WORKSPACE_SIZE = 10
const IDLE_WATCH_MS = 3000

const COSTS = [
  { key: 'idle', name: 'processor time of the idle host', unit: 'ms/s' },
  { key: 'list', name: 'list of all workspaces', unit: 'ms' },
  { key: 'echo', name: 'echo, p50', unit: 'ms' },
  { key: 'restart', name: 'start to ready with all taken up', unit: 'ms' },
  { key: 'memory', name: 'memory of the host', unit: 'MB' }
]

/** What things cost with 1, 10 and 100 terminals: ten times the terminals may cost ten times as much, and no more. */
export const growthRow = {
  id: 'growth',
  runs: 1,
  open: async (world) => ({
    rows: COSTS.map((cost) => ({
      ...cost,
      name: `100 terminals beside 10: ${cost.name}`,
      better: 'lower',
      target: { of: 'ratio', atMost: 10 }
    })),
    both: async () => {
      const costs = await costsByCount(world)
      const points = Object.fromEntries(
        COSTS.map(({ key }) => [key, Object.fromEntries(STEPS.map((count) => [count, costs[count][key]]))])
      )
      return { limit: costs[10], product: costs[100], points }
    }
  })
}

async function costsByCount(world) {
  const costs = {}
  let host = await startHost(world)
  try {
    let open = 0
    for (const count of STEPS) {
      for (; open < count; open += 1) await createTerminal(host, world.project, sessionOf(open))
      const running = await runningCosts(world, host)
      await host.stop()
      const began = performance.now()
      host = await startHost(world)
      costs[count] = { ...running, restart: performance.now() - began }
    }
    for (let number = 0; number < open; number += WORKSPACE_SIZE)
      await killTerminals(host, world.project, sessionOf(number))
    return costs
  } finally {
    await host.stop()
  }
}

const sessionOf = (number) => `growth-${Math.floor(number / WORKSPACE_SIZE)}`

async function runningCosts({ project }, host) {
  const before = (await host.ask('cpu')).ms
  await pause(IDLE_WATCH_MS)
  const idle = ((await host.ask('cpu')).ms - before) / (IDLE_WATCH_MS / 1000)
  const lists = []
  while (lists.length < 20) {
    const began = performance.now()
    await call(host, { path: '/api/workspaces' })
    lists.push(performance.now() - began)
  }
  const memory = (await host.ask('memory')).rssBytes / 1e6
  return { idle, list: median(lists), echo: await echoP50(host, project), memory }
}

async function echoP50(host, project) {
  const { viewer } = await openShell(host, project, 'echo')
  await startEcho(viewer)
  const { p50 } = await echoThrough(viewer, (count) => count >= 200)
  await viewer.close()
  await killTerminals(host, project, 'echo')
  return p50
}
