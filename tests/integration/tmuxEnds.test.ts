import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isDuplicateName } from '../../src/core/backends/duplicateName'
import { isRunning, TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

test('exit 3 is told as code 3, 50 of 50', async () => {
  const backend = await world.backend()
  for (let round = 0; round < 50; round += 1) {
    const { ear, terminal } = await world.shell(backend, 'exit 3')
    expect(await ear.ended()).toEqual({ exitCode: 3, signal: null })
    expect(ear.exits).toHaveLength(1)
    await terminal.kill()
  }
})

test('a program killed by a signal has no code, only the signal', async () => {
  const backend = await world.backend()
  for (const signal of ['KILL', 'TERM', 'SEGV']) {
    const { ear } = await world.shell(backend, `kill -${signal} $$; sleep 60`)
    expect(await ear.ended()).toEqual({ exitCode: null, signal: `SIG${signal}` })
  }
})

test('a program that cannot be run ends instead of hanging', async () => {
  const backend = await world.backend()
  const { ear } = await world.run(backend, ['/nonexistent/program'])
  expect(await ear.ended()).toEqual({ exitCode: 127, signal: null })
})

test('a kill leaves no process of the terminal: nohup, disowned, background and stubborn ones', async () => {
  const backend = await world.backend()
  const pids = join(world.scratch, 'pids')
  const script = [
    `nohup sleep 600 >/dev/null 2>&1 & echo $! >>${pids}`,
    `sleep 601 & echo $! >>${pids}; disown`,
    `(trap '' HUP TERM INT; while :; do sleep 0.1; done) & echo $! >>${pids}`,
    `sleep 602 & kill -STOP $!; echo $! >>${pids}`,
    `echo $$ >>${pids}; echo ready; wait`
  ].join('\n')
  const { ear, terminal } = await world.run(backend, ['/bin/bash', '-c', script])
  await ear.saw('ready')
  const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(started).toHaveLength(5)
  expect(started.every(isRunning)).toBe(true)
  await terminal.kill()
  expect(started.filter(isRunning)).toEqual([])
  expect(await backend.list()).toEqual([])
})

test('an interactive shell that ignores TERM is ended with its jobs', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.run(backend, ['/bin/bash', '--norc', '-i'])
  await terminal.write(Buffer.from('set +m; sleep 700 & echo job=$!; nohup sleep 701 >/dev/null 2>&1 & echo job=$!=\r'))
  const jobs = await until(() => {
    const found = [...ear.text.matchAll(/^job=(\d+)/gm)].map((match) => Number(match[1]))
    return found.length === 2 ? found : undefined
  })
  await terminal.kill({ force: true })
  expect([...jobs, terminal.pid].filter(isRunning)).toEqual([])
})

test('a terminal whose tmux session was taken away is lost, and its kill still ends what runs', async () => {
  const backend = await world.backend()
  const { ear, terminal, spec } = await world.shell(backend, "trap '' HUP; echo ready; while :; do sleep 0.1; done")
  await ear.saw('ready')
  await world.tmux('kill-session', '-t', `=${spec.tmuxSession}`)
  await until(() => ear.presences.includes('lost'))
  expect(isRunning(terminal.pid)).toBe(true)
  await terminal.kill()
  expect(isRunning(terminal.pid)).toBe(false)
  expect(ear.exits).toEqual([])
})

test('a kill ends exactly its own session: not one whose name begins alike, and not another owner’s', async () => {
  const backend = await world.backend()
  const other = await world.backend({ owner: 'another-owner' })
  const long = await world.shell(backend, 'sleep 600', { tmuxSession: 'mc-a-1234' })
  const short = await world.shell(backend, 'sleep 600', { tmuxSession: 'mc-a-1' })
  const stamp = world.stamp({ owner: 'another-owner' })
  const foreign = await world.shell(other, 'sleep 600', { tmuxSession: 'mc-a-12', stamp })
  await short.terminal.kill()
  await short.terminal.kill()
  expect(isRunning(long.terminal.pid)).toBe(true)
  expect(isRunning(foreign.terminal.pid)).toBe(true)
  expect((await backend.list()).map(({ tmuxSession }) => tmuxSession)).toEqual(['mc-a-1234'])
  expect((await other.list()).map(({ tmuxSession }) => tmuxSession)).toEqual(['mc-a-12'])
})

test('a name that exists is refused as such and never shared', async () => {
  const backend = await world.backend()
  const first = await world.shell(backend, 'sleep 600', { tmuxSession: 'mc-same-0000' })
  const again = world.shell(backend, 'sleep 601', { tmuxSession: 'mc-same-0000' })
  await expect(again).rejects.toSatisfy(isDuplicateName)
  const living = await backend.list()
  expect(living.map(({ pid, stamp }) => [pid, stamp.id])).toEqual([[first.terminal.pid, first.spec.stamp.id]])
})
