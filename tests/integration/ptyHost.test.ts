import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Tab } from '../harness/tab'
import { makeWorld, processesOf, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

afterEach(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

/** A PATH with everything a shell needs except tmux. */
function hideTmux(world: World): void {
  const folder = join(world.root, 'bin')
  mkdirSync(folder)
  for (const name of ['bash', 'sh', 'env', 'sleep', 'seq', 'stty', 'cat'])
    symlinkSync(`/bin/${name}`, join(folder, name))
  world.environment.PATH = folder
}

test('with the setting "pty" a terminal works through every door and ends with the host', async () => {
  world = makeWorld()
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  const { id, tmuxSession } = await work.create()
  expect(await work.find(id)).toMatchObject({ backend: 'pty', state: 'running', exitCode: null })
  expect(tmuxSession).toMatch(/^mc-work-[a-z0-9]{4}$/)
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('seq 1 20000; echo "all-of-it [$TMUX]"\r')
  await tab.sees('all-of-it []')
  const before = processesOf(world.root).length
  expect(before).toBeGreaterThan(0)
  await tandem.end('SIGTERM')
  await until(() => processesOf(world.root).length === 0, { what: 'the end of the shell' })
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  expect(await work.list()).toEqual([])
})

test('programs end with a host that is killed, also beside a job that lives on', async () => {
  world = makeWorld()
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  const first = await work.create()
  const { pid } = (await work.find(first.id)) ?? {}
  const tab = await Tab.open(tandem, (await work.create()).tmuxSession)
  // Started last, in a terminal that came after the other.
  tab.type('nohup sleep 300 >/dev/null 2>&1 & echo "job"=$!=\r')
  await until(() => /job=\d+=/.test(tab.plain), { what: 'the number of the job' })
  const job = Number(/job=(\d+)=/.exec(tab.plain)?.[1])
  try {
    await tandem.end('SIGKILL')
    await until(() => !existsSync(`/proc/${pid}`), { what: 'the end of the first program' })
    expect(existsSync(`/proc/${job}`)).toBe(true)
  } finally {
    process.kill(job, 'SIGKILL')
  }
})

test('a pty program answers a query once: by the host, whoever looks on', async () => {
  world = makeWorld()
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  const { tmuxSession } = await work.create()
  const tabs = await Promise.all(Array.from({ length: 3 }, () => Tab.open(tandem, tmuxSession)))
  await tabs[0]?.sees('$')
  tabs[0]?.type('stty raw -echo min 0 time 10; printf \'\\033[c\'; cat -v; stty sane; echo answer"ed"\r')
  await tabs[0]?.sees('answered')
  expect(tabs[0]?.plain.match(/\^\[\[\?[\d;]+c/g)).toHaveLength(1)
})

test('without tmux a terminal is made in a pty, and the answer says so', async () => {
  world = makeWorld()
  hideTmux(world)
  tandem = await Tandem.start(world)
  expect(tandem.stderr).toContain('tmux')
  const { body } = await tandem.api('POST', '/api/terminal/sessions', { project: world.project, session: 'work' })
  expect(body.warnings).toEqual([expect.objectContaining({ code: 'TMUX_UNAVAILABLE' })])
  const [terminal] = await work.list()
  expect(terminal).toMatchObject({ backend: 'pty', state: 'running' })
  const tab = await Tab.open(tandem, terminal?.tmuxSession ?? '')
  tab.type('exit 7\r')
  expect(await tab.closed()).toBe(1000)
  await until(async () => (await work.find(terminal?.id ?? ''))?.exitCode === 7)
  expect(await work.kill(terminal?.id ?? '')).toBe(true)
})

test('with the setting "tmux" and no tmux a create is refused with the way out', async () => {
  world = makeWorld()
  hideTmux(world)
  tandem = await Tandem.start(world, ['--backend', 'tmux'])
  const { status, body } = await tandem.api('POST', '/api/terminal/sessions', {
    project: world.project,
    session: 'work'
  })
  expect(status).toBe(503)
  expect(body.error).toMatchObject({ code: 'TMUX_UNAVAILABLE', hint: expect.stringContaining('install') })
})

test('a tmux that is there but does not start is an error with its reason, and no reason for a pty', async () => {
  world = makeWorld()
  const folder = join(world.root, 'broken')
  mkdirSync(folder)
  const script = '#!/bin/sh\n[ "$1" = -V ] && exec echo tmux 3.4\necho "no sockets today" >&2\nexit 1\n'
  writeFileSync(join(folder, 'tmux'), script, { mode: 0o755 })
  world.environment.PATH = `${folder}:${world.environment.PATH}`
  tandem = await Tandem.start(world)
  const { status, body } = await tandem.api('POST', '/api/terminal/sessions', {
    project: world.project,
    session: 'work'
  })
  expect(status).toBe(503)
  expect(body.error).toMatchObject({ code: 'TMUX_UNAVAILABLE', message: expect.stringContaining('no sockets today') })
  expect(tandem.stderr).toContain('no sockets today')
  expect(tandem.stderr).not.toContain('install')
})
