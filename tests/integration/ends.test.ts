import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../harness/faults/random'
import { SEED } from '../harness/seed'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const random = seededRandom(SEED)

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

test('keys and a 1 MB paste in flight while the program exits never harm the tmux server, 200 times', async () => {
  await work.create('keeps the server up')
  const server = world.tmuxServerPid()
  const paste = Buffer.alloc(1_000_000, 'x')
  for (let round = 0; round < 200; round++) {
    const { id, tmuxSession } = await work.create()
    const tab = await Tab.open(tandem, tmuxSession)
    // A shell that is still starting would echo the whole paste before it does anything.
    await tab.sees('$')
    tab.type('exec sleep 0.02\r')
    await pause(random.below(30))
    tab.type(paste)
    for (let key = 0; key < 20; key++) tab.type('k')
    await tab.closed()
    expect(await work.kill(id)).toBe(true)
    expect(world.tmuxServerPid()).toBe(server)
  }
}, 400_000)

test('`tmux kill-server` typed inside a tab leaves every tab alive', async () => {
  const [typist, neighbour] = [await work.create(), await work.create()]
  const tab = await Tab.open(tandem, typist.tmuxSession)
  tab.type('tmux kill-server; echo TMUX is "[$TMUX]"\r')
  await tab.sees('TMUX is []')
  for (const { id, tmuxSession } of [typist, neighbour]) {
    expect((await work.find(id))?.state).toBe('running')
    const alive = await Tab.open(tandem, tmuxSession)
    alive.type('echo still-$((40+2))\r')
    await alive.sees('still-42')
    alive.close()
  }
  tab.close()
})

test('`exit 3` is reported as code 3, 50 times of 50', async () => {
  const codes: (number | null | undefined)[] = []
  for (let round = 0; round < 50; round++) {
    const { id, tmuxSession } = await work.create()
    const tab = await Tab.open(tandem, tmuxSession)
    tab.type('exit 3\r')
    expect(await tab.closed()).toBe(1000)
    codes.push(
      (
        await until(async () => {
          const found = await work.find(id)
          return found?.state === 'exited' ? found : undefined
        })
      ).exitCode
    )
    await work.kill(id)
  }
  expect(codes).toEqual(Array.from({ length: 50 }, () => 3))
})

test('a program that is killed by a signal has no exit code', async () => {
  const { id, tmuxSession } = await work.create()
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('kill -9 $$\r')
  await tab.closed()
  const ended = await until(async () => ((await work.find(id))?.state === 'exited' ? work.find(id) : undefined))
  expect(ended.exitCode).toBeNull()
  await work.kill(id)
})

test('closing a terminal ends nohup, disowned and background jobs of its session', async () => {
  const pids = join(world.root, 'pids')
  const script = join(world.root, 'jobs.sh')
  writeFileSync(
    script,
    [
      `nohup sleep 1000 >/dev/null 2>&1 & echo $! >> ${pids}`,
      `sleep 1001 & echo $! >> ${pids}; disown`,
      `sleep 1002 & echo $! >> ${pids}`,
      `(trap "" TERM HUP; while :; do sleep 1; done) & echo $! >> ${pids}`,
      `echo $$ >> ${pids}; echo all-started`
    ].join('\n')
  )
  const { id, tmuxSession } = await work.create()
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type(`. ${script}\r`)
  await tab.sees('all-started')
  const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(started).toHaveLength(5)
  expect(started.filter(isAlive)).toEqual(started)
  expect(await work.kill(id)).toBe(true)
  await until(() => started.filter(isAlive).length === 0, { what: 'the end of every job' })
})

test('20 kB printed just before the exit arrive: all that tmux itself has read, 50 times of 50', async () => {
  const script = join(world.root, 'burst.sh')
  writeFileSync(
    script,
    'i=0; while [ $i -lt 400 ]; do echo "row-$i-0123456789012345678901234567890123456789"; i=$((i+1)); done\nexit 0\n'
  )
  let whole = 0
  for (let round = 0; round < 50; round++) {
    const { id, tmuxSession } = await work.create()
    const tab = await Tab.open(tandem, tmuxSession)
    tab.type(`exec sh ${script}\r`)
    await tab.closed()
    const rows = rowsIn(tab.plain)
    expect(rows).toEqual(rowsIn(world.tmux('capture-pane', '-p', '-S', '-', '-t', `=${tmuxSession}:`)))
    if (rows.length === 400) whole += 1
    await work.kill(id)
  }
  // tmux 3.3a closes a pane at its program's end without asking the kernel twice: on a machine whose processors are all
  // busy it may itself miss the last lines. Nothing in front of it can give them back.
  expect(whole).toBeGreaterThanOrEqual(45)
}, 300_000)

function rowsIn(text: string): number[] {
  return [...text.matchAll(/row-(\d+)-0123456789/g)].map(([, row]) => Number(row))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
