import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TmuxBackend } from '../../src/core/backends/tmux/tmuxBackend'
import { LATE_READER } from '../harness/lateReader'
import { Ear, type Running, TmuxWorld } from '../harness/tmuxServer'
import { pause, until } from '../harness/waiting'

const FULL_SCREEN = `trap 'stty size' WINCH; printf '\\033[?1049hready'; while :; do sleep 0.05; done`
/** Longer than a program is left at the other size. */
const AFTERWARDS_MS = 500

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

const size = () => world.tmux('list-panes', '-a', '-f', '#{@tandem_owner}', '-F', '#{pane_width}x#{pane_height}')

async function fullScreen(backend: TmuxBackend): Promise<Running> {
  const running = await world.shell(backend, FULL_SCREEN)
  await running.ear.saw('ready')
  return running
}

test('a full-screen program is asked to draw itself anew after a restore', async () => {
  const { ear, terminal } = await fullScreen(await world.backend())
  await terminal.resync(LATE_READER)
  await ear.saw('23 80')
  await ear.saw('24 80')
})

test('a second restore right after the first finds the program at its size, and leaves it there', async () => {
  const { ear, terminal } = await fullScreen(await world.backend())
  await terminal.resync(LATE_READER)
  await terminal.resync(LATE_READER)
  expect(ear.screens.map((screen) => screen.size)).toEqual([
    { rows: 24, cols: 80 },
    { rows: 24, cols: 80 }
  ])
  await pause(AFTERWARDS_MS)
  await until(async () => (await size()) === '80x24', { what: 'its own size' })
})

test('a host that stops right after a restore leaves the program at its size', async () => {
  const backend = await world.backend()
  const { terminal } = await fullScreen(backend)
  await terminal.resync(LATE_READER)
  await backend.stop()
  expect(await size()).toBe('80x24')
})

test('a size that a person chooses right after a restore stays', async () => {
  const { terminal } = await fullScreen(await world.backend())
  await terminal.resync(LATE_READER)
  await terminal.resize({ rows: 30, cols: 100 })
  await pause(AFTERWARDS_MS)
  expect(await size()).toBe('100x30')
})

test('after a host that was killed right after a restore the next one gives the program its size back', async () => {
  const bundle = mkdtempSync('/tmp/tandem-host-')
  try {
    const entry = join(import.meta.dirname, '../harness/tmuxHost.ts')
    const built = { ssr: entry, outDir: bundle, target: 'node20' }
    await build({ configFile: false, logLevel: 'silent', ssr: { noExternal: true }, build: built })
    const spec = world.spec(['/bin/sh', '-c', FULL_SCREEN])
    const facts = {
      socket: world.socket,
      owner: world.owner,
      runtimeDir: world.directory('run'),
      spec,
      dies: 'nudging'
    }
    const child = spawn(process.execPath, [join(bundle, 'tmuxHost.js'), JSON.stringify(facts)], { stdio: 'ignore' })
    await once(child, 'exit')
  } finally {
    rmSync(bundle, { recursive: true, force: true })
  }
  await until(async () => (await size()) === '80x23', { what: 'the other size' })
  const backend = await world.backend()
  const [living] = await backend.list()
  if (!living) throw new Error('the terminal was not found')
  const ear = new Ear()
  await backend.adopt(living, ear)
  expect(ear.screens[0]?.size).toEqual({ rows: 24, cols: 80 })
})
