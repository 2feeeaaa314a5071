import { spawn } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem | undefined
const work = new WorkspaceClient(() => tandem as Tandem)

beforeAll(() => {
  world = makeWorld()
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete world.environment[name]
  world.environment.TANDEM_DATA_DIR = world.dataDir
})
afterEach(async () => {
  await tandem?.end('SIGKILL')
  tandem = undefined
})
afterAll(() => world.remove())

const run = (...args: string[]) => runTandem(world, args)

test('--help lists the commands, and an unknown word is a usage error with a suggestion', async () => {
  const help = await run('--help')
  expect([help.code, help.stderr]).toEqual([0, ''])
  for (const command of [
    'serve',
    'open',
    'ls',
    'attach',
    'kill',
    'mcp',
    'setup',
    'token',
    'doctor',
    'log',
    'completion'
  ]) {
    expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  }
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
  const wrong = await run('srve')
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('Did you mean serve?')
  expect(await run('ls', '--colour')).toMatchObject({ code: 2 })
  expect(await run('/nowhere/at/all')).toMatchObject({ code: 2, stderr: '"/nowhere/at/all" is not a folder.\n' })
})

test('without a host the commands that need one exit 5 and say how to start one', async () => {
  for (const command of [['ls'], ['open'], ['kill', 'x'], ['kill', '--all']]) {
    const { code, stdout, stderr } = await run(...command)
    expect([command, code, stdout]).toEqual([command, 5, ''])
    expect(stderr).toContain('tandem serve')
  }
  tandem = await Tandem.start(world)
  await tandem.end('SIGKILL')
  expect((await run('ls')).code).toBe(5)
})

test('ls and kill take any handle, answer in JSON, and exit 1 for a terminal that is not there', async () => {
  tandem = await Tandem.start(world)
  const made = [await work.create('one'), await work.create('two'), await work.create('two'), await work.create()]
  const listed = JSON.parse((await run('ls', '--json')).stdout) as { terminals: Record<string, unknown>[] }
  expect(listed.terminals.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  expect(listed.terminals[0]).toMatchObject({
    ...{ name: 'one', state: 'running', order: 0, session: 'work', exitCode: null },
    project: realpathSync(world.project)
  })
  const table = await run('ls')
  expect(table.stdout).toMatch(/^TERMINAL +NAME +STATE +WORKSPACE +PROGRAM\nsess_[0-9a-f]{8} +one +running/)
  expect(await run('kill', 'nobody')).toMatchObject({ code: 1, stdout: '' })
  expect((await run('kill', 'two')).stderr).toContain('2 terminals are called "two"')
  expect(await run('kill')).toMatchObject({ code: 2 })
  expect(await run('kill', 'one', '--all')).toMatchObject({ code: 2 })
  const [one, two, three, four] = made
  const killed = await run('kill', 'one', '--json')
  expect([killed.code, JSON.parse(killed.stdout)]).toEqual([0, { killed: [one?.id], failed: [] }])
  expect((await run('kill', `sess_${two?.id.slice(0, 8)}`)).stdout).toBe('1 terminal ended.\n')
  expect((await run('kill', three?.tmuxSession ?? '')).code).toBe(0)
  expect((await work.list()).map(({ id }) => id)).toEqual([four?.id])
  expect(JSON.parse((await run('kill', '--all', '--json')).stdout)).toEqual({ killed: [four?.id], failed: [] })
  expect((await run('ls')).stdout).toBe('No terminals are open.\n')
})

test('the log can be followed while things are done, and beyond the end of the host', async () => {
  tandem = await Tandem.start(world)
  const follower = spawn(process.execPath, [ENTRY, 'log', '--follow', '--json'], { env: world.environment })
  let text = ''
  follower.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await until(() => text.includes('"action":"start"'), { what: 'what was done before' })
  const { id } = await work.create('followed')
  await until(() => text.includes('"name":"followed"'), { what: 'what is done now' })
  await tandem.end('SIGTERM')
  await until(() => text.includes('"action":"stop"'), { what: 'the end, from the file' })
  follower.kill('SIGKILL')
  const lines = text.split('\n').filter(Boolean)
  const ids = lines.map((line) => (JSON.parse(line) as { id: number }).id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  expect(lines.some((line) => line.includes(id))).toBe(true)
})

test('tokens are made, listed and revoked, in JSON too; mistakes are said with their exit code', async () => {
  const added = await run('token', 'add', 'robot', '--scopes', 'read,type', '--project', world.project, '--json')
  const { token } = JSON.parse(added.stdout) as { token: string }
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const listed = await run('token', 'ls', '--json')
  expect(listed.stdout).not.toContain(token)
  expect(JSON.parse(listed.stdout)).toMatchObject({
    tokens: [{ name: 'robot', scopes: ['read', 'type'], projects: [realpathSync(world.project)] }]
  })
  expect((await run('token', 'add', 'robot')).stderr).toMatch(/^There is a token "robot" already\. /)
  expect((await run('token', 'add', 'other', '--scopes', 'fly')).code).toBe(2)
  expect(await run('token', 'revoke', 'robot', '--json')).toMatchObject({ code: 0, stdout: '{"revoked":true}\n' })
  expect(await run('token', 'revoke', 'robot')).toMatchObject({ code: 1 })
})

test('tandem alone without Electron prints an address that lets in, and opens no terminal by itself', async () => {
  tandem = await Tandem.start(world)
  const before = await work.list()
  const { code, stdout } = await run()
  expect(code).toBe(0)
  expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(303)
  expect(await work.list()).toEqual(before)
})

test('tandem <folder> without Electron starts a host, makes the folder known and prints an address that lets in', async () => {
  const folder = join(world.root, 'a folder')
  mkdirSync(folder)
  const first = await run(folder)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const page = await fetch(first.stdout.trim(), { redirect: 'manual' })
  expect([page.status, page.headers.get('set-cookie')?.startsWith('tandem_')]).toEqual([303, true])
  const terminals = async () => {
    const listed = JSON.parse((await run('ls', '--json')).stdout) as {
      terminals: { project: string; session: string }[]
    }
    return listed.terminals.filter(({ project }) => project === realpathSync(folder))
  }
  expect(await terminals()).toMatchObject([{ session: 'default' }])
  const again = await run('app', folder, '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ project: realpathSync(folder) })
  expect(await terminals()).toHaveLength(1)
})
