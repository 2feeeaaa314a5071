import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pty from 'node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTmux } from '../../src/core/backends/tmux/tmuxBinary'
import { LATE_READER } from '../harness/lateReader'
import { Ear, TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

const SIZE_TELLER = "trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done"

test('a program has the size it was made with, and each later one', async () => {
  const backend = await world.backend()
  const { ear, terminal } = await world.shell(backend, SIZE_TELLER, { size: { rows: 31, cols: 117 } })
  await ear.saw('31 117')
  await terminal.resize({ rows: 10, cols: 40 })
  await ear.saw('10 40')
  await terminal.resize({ rows: 500, cols: 1000 })
  await ear.saw('500 1000')
})

test('sizes that tmux cannot take are refused before it sees them', async () => {
  const backend = await world.backend()
  const { terminal } = await world.run(backend, ['/bin/cat'])
  for (const size of [
    { rows: 0, cols: 80 },
    { rows: 24, cols: 0 },
    { rows: 65_535, cols: 65_535 },
    { rows: 2.5, cols: 80 }
  ]) {
    await expect(terminal.resize(size)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    await expect(world.shell(backend, 'exit', { size })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  }
  expect((await backend.list()).map(({ size }) => size)).toEqual([{ rows: 24, cols: 80 }])
})

test('a person attached with plain tmux elsewhere does not decide the size of a new terminal', async () => {
  const backend = await world.backend()
  const { spec } = await world.run(backend, ['/bin/cat'])
  const attached = pty.spawn('tmux', ['-L', world.socket, 'attach-session', '-t', `=${spec.tmuxSession}`], {
    cols: 50,
    rows: 11
  })
  try {
    await until(async () => (await world.tmux('list-clients', '-F', '#{client_tty}')).includes('/dev/'))
    const { ear } = await world.shell(backend, SIZE_TELLER, { size: { rows: 30, cols: 100 } })
    await ear.saw('30 100')
    const sizes = (await backend.list()).map(({ size }) => `${size.rows} ${size.cols}`).sort()
    expect(sizes).toEqual(['24 80', '30 100'])
  } finally {
    attached.kill('SIGKILL')
  }
})

test('a stamp is there with the program, and renames change it', async () => {
  const backend = await world.backend()
  const { terminal, spec } = await world.run(backend, ['/bin/cat'], { reservedOffset: 64 })
  expect(await backend.list()).toMatchObject([{ stamp: spec.stamp, reservedOffset: 64, tmuxSession: spec.tmuxSession }])
  const renamed = { ...spec.stamp, name: 'new #(name) "é"', order: 3 }
  await terminal.restamp(renamed)
  expect((await backend.list())[0]?.stamp).toEqual(renamed)
})

test('the directory of the foreground program and the terminal’s device are known', async () => {
  const backend = await world.backend()
  const directory = join(world.scratch, 'new\nline %end 1 2 3')
  mkdirSync(directory)
  const { terminal, ear } = await world.run(backend, ['/bin/bash', '--norc', '-i'], { cwd: directory })
  // Between its fork and its start a program is still where tmux is.
  await expect.poll(() => terminal.currentDirectory(), { timeout: 30_000 }).toBe(directory)
  await terminal.write(Buffer.from('cd /usr && sh -c "cd /var && echo there && sleep 60"\r'))
  await ear.saw('there\r\n')
  expect(await terminal.currentDirectory()).toBe('/var')
  await terminal.write(Buffer.from('\x03tty\r'))
  await ear.saw(await terminal.ttyPath())
})

test('settings of a running server follow the host: new terminals get the new scrollback', async () => {
  const backend = await world.backend()
  world.settings = { ...world.settings, scrollback_limit: 50 }
  const { ear, terminal } = await world.shell(backend, 'seq 1 500; echo done; sleep 60')
  await ear.saw('done')
  await terminal.resync(LATE_READER)
  const lines = ear.screens[0]?.bytes.toString().split('\r\n') ?? []
  expect(lines.length).toBeLessThan(80)
})

test('a tmux that is too old, or none, is named with what to do', async () => {
  const directory = world.scratch
  const fake = join(directory, 'tmux')
  writeFileSync(fake, '#!/bin/sh\necho tmux 3.2a\n')
  chmodSync(fake, 0o755)
  const old = world.backend({ environment: { ...process.env, PATH: `${directory}:${process.env.PATH}` } })
  await expect(old).rejects.toMatchObject({
    code: 'TMUX_UNAVAILABLE',
    message: expect.stringContaining('"3.2a"'),
    hint: expect.stringContaining('install tmux')
  })
  await expect(findTmux({ PATH: '/nonexistent' }, [])).rejects.toMatchObject({
    code: 'TMUX_UNAVAILABLE',
    hint: expect.stringContaining('install tmux')
  })
})

test('a terminal that is gone cannot be adopted', async () => {
  const backend = await world.backend()
  const { terminal } = await world.run(backend, ['/bin/cat'])
  const [living] = await backend.list()
  if (!living) throw new Error('the terminal was not found')
  await terminal.kill()
  await expect(backend.adopt(living, new Ear())).rejects.toMatchObject({ code: 'SESSION_ERROR' })
})
