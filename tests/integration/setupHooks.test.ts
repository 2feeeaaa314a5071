import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOOK_CLIENTS } from '../../src/core/clients/hooks/hookClients'
import { makeWorld, runTandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

// `tandem setup <client> --hooks` in a home of its own: what is shown, what is written, and that it goes again.

const SETTINGS = `{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }
    ]
  }
}
`
const FILES: Readonly<Record<string, string | undefined>> = {
  'claude-code': SETTINGS,
  codex: '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n',
  opencode: undefined
}

let world: World
beforeAll(() => {
  world = makeWorld()
  world.environment.TANDEM_DATA_DIR = world.dataDir
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME']) delete world.environment[name]
})
afterAll(() => world.remove())
beforeEach(() => {
  for (const { id } of HOOK_CLIENTS) {
    rmSync(pathOf(id), { force: true })
    rmSync(`${pathOf(id)}.before-tandem`, { force: true })
  }
})

const setup = (...words: string[]) => runTandem(world, ['setup', ...words, '--hooks'])
const pathOf = (id: string) => {
  const { folder, file } = HOOK_CLIENTS.find((client) => client.id === id) ?? {}
  return join(folder?.(world.environment) ?? '', file ?? '')
}
function put(id: string, text: string | undefined): void {
  mkdirSync(dirname(pathOf(id)), { recursive: true })
  if (text !== undefined) writeFileSync(pathOf(id), text)
}
const now = (id: string) => (existsSync(pathOf(id)) ? readFileSync(pathOf(id), 'utf8') : undefined)

test.each(Object.entries(FILES))(
  '%s: shown first, added, left alone the second time, and gone again',
  async (id, before) => {
    put(id, before)
    const printed = await setup(id, '--print')
    expect([printed.code, printed.stderr, now(id)]).toEqual([0, '', before])
    expect(printed.stdout).toContain(pathOf(id))
    expect((await setup(id)).stderr).toContain('--yes')
    const done = await setup(id, '--yes')
    expect([done.code, done.stderr]).toEqual([0, ''])
    const after = now(id) ?? ''
    // Every line that came was shown, and every line that was there is there.
    const shown = printed.stdout.split('\n').filter((line) => line.startsWith('  + '))
    for (const line of shown) expect(after).toContain(line.slice(4))
    for (const line of (before ?? '').split('\n')) expect(after).toContain(line.replace(/ }$/, ''))
    expect(after).toContain('hook')
    expect((await setup(id, '--yes')).stdout).toContain('shows already')
    expect(now(id)).toBe(after)
    expect((await setup(id, '--yes', '--remove')).code).toBe(0)
    expect(now(id)).toBe(before)
    expect((await setup(id, '--yes', '--remove')).stdout).toContain('has no hooks')
  }
)

test('what a person changed meanwhile stays when the hooks go', async () => {
  put('claude-code', SETTINGS)
  await setup('claude-code', '--yes')
  writeFileSync(pathOf('claude-code'), (now('claude-code') ?? '').replace('"opus"', '"other"'))
  expect((await setup('claude-code', '--yes', '--remove')).code).toBe(0)
  expect(now('claude-code')).toBe(SETTINGS.replace('"opus"', '"other"'))
})

test('a program that Codex notifies already stays, and how both can run is said', async () => {
  put('codex', 'notify = ["say", "done"]\n')
  const refused = await setup('codex', '--yes')
  expect([refused.code, now('codex')]).toEqual([1, 'notify = ["say", "done"]\n'])
  expect(refused.stderr).toMatch(/notify.*hook codex/)
  expect((await setup('codex', '--yes', '--remove')).code).toBe(0)
  expect(now('codex')).toBe('notify = ["say", "done"]\n')
})

test('a plugin that is not ours is neither replaced nor taken away', async () => {
  put('opencode', 'export const Mine = async () => ({})\n')
  expect((await setup('opencode', '--yes')).stderr).toContain('not ours')
  await setup('opencode', '--yes', '--remove')
  expect(now('opencode')).toBe('export const Mine = async () => ({})\n')
})

test('a client without hooks is told so, and one that is broken is left as it is', async () => {
  expect(await setup('cursor', '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('has no hooks') })
  expect(await runTandem(world, ['setup', 'opencode', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--hooks')
  })
  put('claude-code', '{ "hooks": ')
  expect((await setup('claude-code', '--yes')).stderr).toContain('not JSON')
  expect(now('claude-code')).toBe('{ "hooks": ')
})

test('the plugin for opencode passes its events on, only in our terminals, and those of helping sessions not', async () => {
  await setup('opencode', '--yes')
  const heard = join(world.root, 'heard')
  const recorder = join(world.root, 'recorder')
  writeFileSync(recorder, `#!/bin/sh\nprintf '%s\\n' "$(cat)" >> '${heard}'\n`)
  chmodSync(recorder, 0o755)
  const plugin = join(world.root, 'plugin.mjs')
  writeFileSync(plugin, (now('opencode') ?? '').replace(/^const COMMAND = .*$/m, `const COMMAND = ['${recorder}']`))
  const script = `const { TandemState } = await import('${pathToFileURL(plugin)}')
const { event } = await TandemState()
const send = async (type, properties) => {
  await event?.({ event: { type, properties } })
}
await send('session.created', { info: { id: 'child', parentID: 'top' } })
await send('session.idle', { sessionID: 'child' })
await send('file.edited', { file: 'x' })
await send('permission.asked', { sessionID: 'child', permission: 'bash', patterns: ['rm *'] })
await send('session.idle', { sessionID: 'top' })`
  const run = (more: NodeJS.ProcessEnv) => {
    const env = { ...world.environment, ...more }
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script], { env }).status).toBe(0)
  }
  run({ TANDEM_TERMINAL_ID: undefined })
  expect(existsSync(heard)).toBe(false)
  run({ TANDEM_TERMINAL_ID: 'x' })
  const events = () => readFileSync(heard, 'utf8').trim().split('\n')
  await until(() => existsSync(heard) && events().length === 2, { what: 'two events' })
  const types = events().map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types.toSorted()).toEqual(['permission.asked', 'session.idle'])
})
