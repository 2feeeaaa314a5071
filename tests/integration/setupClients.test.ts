import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AGENT_CLIENTS } from '../../src/core/clients/agentClients'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'

let world: World
let tandem: Tandem
let programs: string
let seen: string

beforeAll(async () => {
  world = makeWorld()
  programs = join(world.root, 'bin')
  seen = join(world.root, 'seen')
  mkdirSync(programs)
  world.environment.TANDEM_DATA_DIR = world.dataDir
  world.environment.PATH = `${programs}:/usr/bin:/bin`
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})
beforeEach(() => writeFileSync(seen, ''))

const setup = (...words: string[]) => runTandem(world, ['setup', ...words])
const pathOf = (id: string) => AGENT_CLIENTS.find((client) => client.id === id)?.configPath(world.environment) ?? ''
function put(id: string, text: string): string {
  mkdirSync(dirname(pathOf(id)), { recursive: true })
  writeFileSync(pathOf(id), text)
  return pathOf(id)
}
/** A program in the place of the client's own, which notes what it was asked. */
function standIn(name: string, exitCode = 0): void {
  const path = join(programs, name)
  writeFileSync(
    path,
    `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word"; done >> '${seen}'\necho 'no room' >&2\nexit ${exitCode}\n`
  )
  chmodSync(path, 0o755)
}

describe('clients without a program of their own', () => {
  test.each(['cursor', 'claude-desktop', 'vscode', 'gemini', 'claude-code', 'codex'])(
    '%s: the file is shown, changed with a backup, tried, left alone the second time, and put back',
    async (id) => {
      const before = id === 'codex' ? '# mine\nmodel = "x"\n' : '{\n  // mine\n  "other": true\n}\n'
      const path = put(id, before)
      const printed = await setup(id, '--print')
      expect([printed.code, readFileSync(path, 'utf8')]).toEqual([0, before])
      expect(printed.stdout).toContain(path)
      expect((await setup(id)).stderr).toContain('--yes')
      const done = await setup(id, '--yes')
      expect([done.code, done.stderr]).toEqual([0, ''])
      expect(done.stdout).toMatch(/is connected: a bridge answered with \d+ tools/)
      const after = readFileSync(path, 'utf8')
      expect(after).toContain('mine')
      expect(after).toContain(world.dataDir)
      expect(after + done.stdout).not.toContain(tandem.ready.token)
      expect(readFileSync(`${path}.before-tandem`, 'utf8')).toBe(before)
      expect((await setup(id, '--yes')).stdout).toContain('connected already')
      expect(readFileSync(path, 'utf8')).toBe(after)
      expect((await setup(id, '--yes', '--remove')).code).toBe(0)
      expect(readFileSync(path, 'utf8')).not.toContain('tandem')
      expect((await setup(id, '--yes', '--remove')).stdout).toContain('is not connected')
    }
  )

  test('a file that is broken is left untouched and named', async () => {
    const broken = put('cursor', '{ "mcpServers": ')
    const refused = await setup('cursor', '--yes')
    expect([refused.code, readFileSync(broken, 'utf8')]).toEqual([1, '{ "mcpServers": '])
    expect(refused.stderr).toContain('not JSON')
    writeFileSync(broken, '{}\n')
  })

  test('a link stays a link, and the mode of its target stays', async () => {
    const real = join(world.root, 'dotfiles.json')
    writeFileSync(real, '{}\n')
    chmodSync(real, 0o640)
    const path = pathOf('cursor')
    rmSync(path, { force: true })
    symlinkSync(real, path)
    expect((await setup('cursor', '--yes')).code).toBe(0)
    expect([lstatSync(path).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o640])
    expect(readFileSync(real, 'utf8')).toContain('tandem')
  })
})

test('clients with a program of their own are asked through it, and their refusal is told', async () => {
  for (const [id, name] of [
    ['claude-code', 'claude'],
    ['codex', 'codex'],
    ['gemini', 'gemini'],
    ['vscode', 'code']
  ] as const) {
    rmSync(pathOf(id), { force: true })
    standIn(name)
    writeFileSync(seen, '')
    const done = await setup(id, '--yes')
    expect([id, done.code]).toEqual([id, 0])
    expect(done.stdout).toContain('bridge answered')
    const words = readFileSync(seen, 'utf8').trim().split('\n')
    expect(words.join(' ')).toContain('tandem')
    if (id === 'claude-code') expect(words.slice(0, 6)).toEqual(['mcp', 'add', '--scope', 'user', 'tandem', '--'])
    if (id === 'vscode') expect(JSON.parse(words[1] ?? '')).toMatchObject({ name: 'tandem', command: process.execPath })
    expect(words.join(' ')).not.toContain(tandem.ready.token)
  }
  standIn('claude', 1)
  const refused = await setup('claude-code', '--yes')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no room')])
  expect(await setup()).toMatchObject({ code: 2 })
  expect(await setup('emacs')).toMatchObject({ code: 2 })
})
