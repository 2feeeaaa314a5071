import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProgramSpec } from '../../src/core/backends/backend'
import { Ear, isRunning, TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld
let bundle: string

beforeAll(async () => {
  bundle = mkdtempSync('/tmp/tandem-host-')
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, '../harness/tmuxHost.ts'), outDir: bundle, target: 'node20' }
  })
})

afterAll(() => rmSync(bundle, { recursive: true, force: true }))

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

async function startHost(spec: ProgramSpec): Promise<{ child: ChildProcess; said: () => string; pid: number }> {
  const runtimeDir = world.directory('run')
  const facts = { socket: world.socket, owner: world.owner, runtimeDir, spec }
  const child = spawn(process.execPath, [join(bundle, 'tmuxHost.js'), JSON.stringify(facts)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const pid = await until(() => /ready (\d+)/.exec(said)?.[1], { what: 'the host' })
  return { child, said: () => said, pid: Number(pid) }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCES = /\x1b(\[[0-9;?]*[a-zA-Z]|\).)/g

const numbersIn = (text: string) => text.replaceAll(SEQUENCES, '').split(/\r?\n/).map(Number)

test('a host that is killed leaves the program running; the next one has its scrollback and every line after it', async () => {
  const { child, pid } = await startHost(world.spec(['/bin/sh', '-c', 'seq 1 2000000000']))
  child.kill('SIGKILL')
  const backend = await world.backend()
  const living = await backend.list()
  expect(living.map((terminal) => terminal.pid)).toEqual([pid])
  const ear = new Ear()
  const [first] = living
  if (!first) throw new Error('the terminal was not found')
  const terminal = await backend.adopt(first, ear)
  await until(() => ear.bytes.length > 200_000)
  // On a busy machine the pipe may have been opened afresh meanwhile: the newest screen is the one that goes on.
  const numbers = numbersIn(ear.screens.at(-1)?.bytes.toString() + ear.text).slice(0, -1)
  expect(numbers.length).toBeGreaterThan(20_000)
  const broken = numbers.findIndex((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)
  expect(numbers.slice(broken - 1, broken + 1)).toEqual([])
  await terminal.kill()
})

test('of a killed host nothing is left but the program', async () => {
  const { child, pid } = await startHost(world.spec(['/bin/sleep', '600']))
  const server = await world.serverPid()
  child.kill('SIGKILL')
  // A relay ends with the next byte, or when the next host opens its own pipe.
  const others = () => world.processes().filter((process) => isRunning(process) && !world.relays([process]).length)
  await until(() => others().length <= 1, { what: 'its helpers to end' })
  expect(others()).toEqual([server])
  expect(isRunning(pid)).toBe(true)
})

test('a host that is stopped does not let tmux grow: its pipes are closed, and opened again when it goes on', async () => {
  const { child, said, pid } = await startHost(
    world.spec(['/bin/sh', '-c', 'while :; do seq 1 1000; sleep 0.05; done'])
  )
  const piped = () => world.tmux('list-panes', '-a', '-F', '#{pane_pid} #{pane_pipe}')
  expect(await piped()).toContain(`${pid} 1`)
  child.kill('SIGSTOP')
  await until(async () => (await piped()).includes(`${pid} 0`), { what: 'the pipe to be closed' })
  child.kill('SIGCONT')
  await until(async () => (await piped()).includes(`${pid} 1`), { what: 'the pipe to be opened again' })
  await until(() => said().includes('restored'))
  child.kill('SIGKILL')
})

test('a relay that dies is replaced, and the terminal starts afresh from the screen', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.run(backend, ['/bin/cat'])
  await terminal.write(Buffer.from('before\r'))
  await ear.saw('before\r\nbefore')
  const [relay] = world.relays()
  if (relay === undefined) throw new Error('there is no relay')
  process.kill(relay, 'SIGKILL')
  await terminal.write(Buffer.from('meanwhile\r'))
  await until(() => ear.screens.length === 1)
  expect(ear.screens[0]?.bytes.toString()).toMatch(/before[\s\S]*meanwhile/)
  await terminal.write(Buffer.from('after\r'))
  await ear.saw('after\r\nafter')
})

test('a tmux that hangs is unknown, not empty; nothing is removed and all goes on afterwards', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.run(backend, ['/bin/cat'])
  const server = await world.serverPid()
  process.kill(server, 'SIGSTOP')
  await expect(terminal.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  await expect(backend.list()).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  await expect(world.shell(backend, 'exit')).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  await until(() => ear.presences.includes('unknown'))
  process.kill(server, 'SIGCONT')
  await until(() => ear.presences.at(-1) === 'ok')
  expect(ear.presences).toEqual(['unknown', 'ok'])
  await terminal.write(Buffer.from('again\r'))
  await ear.saw('again')
  expect(await backend.list()).toHaveLength(1)
  expect(ear.exits).toEqual([])
})

test('a tmux that is killed loses its terminals, says so, and new ones can be made', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.run(backend, ['/bin/cat'])
  process.kill(await world.serverPid(), 'SIGKILL')
  await until(() => ear.presences.includes('lost'))
  expect(ear.exits).toEqual([])
  await expect(terminal.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'SESSION_ERROR' })
  const next = await until(() => world.run(backend, ['/bin/cat']).catch(() => undefined))
  await next.terminal.write(Buffer.from('hello\r'))
  await next.ear.saw('hello\r\nhello')
  await terminal.kill()
  expect((await backend.list()).map(({ pid }) => pid)).toEqual([next.terminal.pid])
})

test('a control client that dies is replaced without anyone noticing', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.run(backend, ['/bin/cat'])
  process.kill(Number(await world.tmux('list-clients', '-F', '#{client_pid}')), 'SIGKILL')
  await until(() =>
    terminal.write(Buffer.from('hello\r')).then(
      () => true,
      () => false
    )
  )
  await ear.saw('hello\r\nhello')
  expect(ear.presences).toEqual([])
})

test('a socket that was deleted is made anew, by a running host and by the next one', async () => {
  const socket = `${process.env.TMUX_TMPDIR ?? '/tmp'}/tmux-${process.getuid?.()}/${world.socket}`
  const first = await world.backend()
  const { terminal } = await world.run(first, ['/bin/cat'])
  const server = await world.serverPid()
  rmSync(socket)
  for (const pid of world.controlClients()) process.kill(pid, 'SIGKILL')
  expect(await until(() => world.serverPid().catch(() => undefined), { what: 'the socket' })).toBe(server)
  await until(async () => (await first.list()).length === 1)
  await first.stop()
  rmSync(socket)
  const second = await world.backend()
  expect((await second.list()).map(({ pid }) => pid)).toEqual([terminal.pid])
  expect(await world.serverPid()).toBe(server)
})

test('a watchdog that is killed is replaced by one that watches, and none is left after a stop', async () => {
  const backend = await world.backend()
  await until(() => world.watchdogs().length === 2, { what: 'both its halves' })
  const [first] = world.watchdogs()
  process.kill(first?.leader ?? 0, 'SIGKILL')
  const others = () => world.watchdogs().filter(({ leader }) => leader !== first?.leader)
  await until(() => others().length > 0, { what: 'another watchdog' })
  await until(() => others().length === world.watchdogs().length, { what: 'the end of the first' })
  await backend.stop()
  await until(() => world.watchdogs().length === 0, { what: 'its end' })
})

test('terminals in a tmux that cannot be reached are an error, never an empty list', async () => {
  const first = await world.backend()
  await world.run(first, ['/bin/cat'])
  await first.stop()
  const elsewhere = { ...process.env, TMUX_TMPDIR: world.scratch }
  await expect(world.backend({ environment: elsewhere })).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  const third = await world.backend()
  expect(await third.list()).toHaveLength(1)
})

test('a stop leaves nothing but terminals, and no server without them', async () => {
  const first = await world.backend()
  const { terminal } = await world.run(first, ['/bin/cat'])
  const server = await world.serverPid()
  await first.stop()
  await until(() => world.processes().filter(isRunning).length === 1)
  expect(world.processes()).toEqual([server])
  const second = await world.backend()
  const [living] = await second.list()
  if (!living) throw new Error('the terminal was not found')
  expect(living.pid).toBe(terminal.pid)
  await (await second.adopt(living, new Ear())).kill()
  await second.stop()
  await until(() => world.processes().filter(isRunning).length === 0)
})
