import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, LIMIT_MS, limit } from '../harness/counts'
import { SEED } from '../harness/seed'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// Output that is meant to fill memory or to keep the host busy, while somebody else works.

const FLOOD = fileURLToPath(new URL('../harness/threats/flood.mjs', import.meta.url))
const MAX_GROWTH_MB = 100
const KINDS = [
  ...[
    'title',
    'endlessTitle',
    'link',
    'clipboard',
    'image',
    'sixel',
    'deviceControl',
    'statusRequest',
    'application',
    'combining'
  ],
  ...['joined', 'marksEverywhere', 'parameters', 'digits', 'scroll', 'repeat', 'tabs', 'erase', 'colours', 'manyLinks'],
  ...['screens', 'random']
]

/** A gigabyte of noise; and one string without end is one string. */
const FULL_ROUNDS: Record<string, number> = { random: 340, endlessTitle: 1 }

/** A host that keeps its programs itself is asked for a few of them, or for all. */
const PTY_KINDS = KINDS.filter((_, index) => index % count({ small: 6, full: 1 }) === 0)

let world: World
let tandem: Tandem
let probe: Tab
const work = new WorkspaceClient(() => tandem)

const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${tandem.ready.pid}/status`, 'utf8'))?.[1]) / 1024

/** Types into the probe and waits for what comes back. */
async function probeAnswers(word: string): Promise<void> {
  probe.forget()
  probe.type(`echo ${word}"-back"\r`)
  await probe.sees(`${word}-back`)
}

interface Held {
  /** The most memory that was held. */
  mostMb: number
  /** The longest that the host, asked all the while, took to answer. */
  heartbeatMs: number
}

/** Floods one terminal; the probe is used, and memory and heartbeat looked at, all the while. */
async function flood(kind: string, scale: number): Promise<Held> {
  const { id, tmuxSession } = await work.create(kind)
  const tab = await Tab.open(tandem, tmuxSession)
  await tab.sees('$')
  tab.type(`exec ${process.execPath} ${FLOOD} ${kind} ${scale} ${SEED}\r`)
  let mostMb = memoryMb()
  let heartbeatMs = 0
  for (let round = 0; tab.closeCode === undefined; round++) {
    await probeAnswers(`${kind}${round}`)
    const askedMs = performance.now()
    expect((await fetch(`${tandem.ready.url}/healthz`)).status).toBe(200)
    heartbeatMs = Math.max(heartbeatMs, performance.now() - askedMs)
    mostMb = Math.max(mostMb, memoryMb())
    await pause(50)
  }
  // A viewer that comes later is shown it too.
  const late = await Tab.open(tandem, tmuxSession)
  await late.closed()
  expect(late.plain, kind).toContain('flood-over')
  await work.kill(id)
  return { mostMb: Math.max(mostMb, memoryMb()), heartbeatMs }
}

describe.each([
  ['tmux', KINDS],
  ['pty', PTY_KINDS]
])('in a terminal kept by %s', (backend, kinds) => {
  beforeAll(async () => {
    world = makeWorld()
    tandem = await Tandem.start(world, ['--backend', backend])
    const { tmuxSession } = await work.create('probe')
    probe = await Tab.open(tandem, tmuxSession)
    await probe.sees('$')
    await flood('random', 1)
  })
  afterAll(async () => {
    probe.close()
    await tandem.end('SIGTERM')
    await world.remove()
  })

  test.for(kinds)(
    'a flood of "%s" costs neither memory nor anybody’s keys',
    {
      timeout: LIMIT_MS
    },
    async (kind, { task }) => {
      const beforeMb = memoryMb()
      const { mostMb, heartbeatMs } = await flood(kind, count({ small: 1, full: FULL_ROUNDS[kind] ?? 12 }))
      expect(mostMb - beforeMb).toBeLessThan(MAX_GROWTH_MB)
      limit(task, 'heartbeatMs', { value: heartbeatMs, max: 1000 })
    }
  )
})
