import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { WorkspaceClient } from '../harness/workspace'

const CANARIES = {
  GITHUB_TOKEN: 'canary-token-70c1',
  DATABASE_PASSWORD: 'canary-password-81d2',
  PLAIN_VARIABLE: 'canary-plain-92e3',
  SHELL: '/bin/bash'
}

let world: World
let tandem: Tandem | undefined
const work = new WorkspaceClient(() => tandem as Tandem)

beforeEach(() => {
  world = makeWorld(CANARIES)
})
afterEach(async () => {
  await tandem?.end('SIGKILL')
  tandem = undefined
  await world.remove()
})

interface Diagnosis {
  ok: boolean
  findings: { check: string; level: string; message: string; fix?: string }[]
  fixed: string[]
}

async function doctor(...flags: string[]): Promise<Diagnosis & { code: number | null }> {
  const { code, stdout } = await runTandem(world, ['doctor', '--json', '--data-dir', world.dataDir, ...flags])
  return { ...(JSON.parse(stdout) as Diagnosis), code }
}

const findingsOf = ({ findings }: Diagnosis, check: string) => findings.filter((finding) => finding.check === check)
const troublesOf = ({ findings }: Diagnosis) => findings.filter(({ level }) => level !== 'ok').map(({ check }) => check)

/** A terminal that lives while its record is gone. */
async function makeOrphan(): Promise<string> {
  tandem = await Tandem.start(world)
  const { id } = await work.create('stray')
  await tandem.end('SIGTERM')
  rmSync(join(world.project, '.collab'), { recursive: true })
  return id
}

test('a healthy machine has no findings, before the first start and while a host runs, and exits 0', async () => {
  const fresh = await doctor()
  expect([fresh.code, fresh.ok, troublesOf(fresh)]).toEqual([0, true, []])
  tandem = await Tandem.start(world)
  await work.create()
  const running = await doctor()
  expect([running.code, troublesOf(running)]).toEqual([0, []])
  expect(findingsOf(running, 'host')[0]?.message).toContain(String(tandem.ready.pid))
  expect(findingsOf(running, 'terminals')[0]?.message).toContain('1 living terminal')
})

test('files open to others fail the check without being touched, and --fix closes them', async () => {
  tandem = await Tandem.start(world)
  await tandem.end('SIGTERM')
  chmodSync(world.dataDir, 0o755)
  chmodSync(join(world.dataDir, 'token'), 0o644)
  const found = await doctor()
  expect([found.code, found.ok, troublesOf(found)]).toEqual([1, false, ['data-dir']])
  expect(findingsOf(found, 'data-dir')[0]).toMatchObject({ level: 'fail', fix: 'tandem doctor --fix' })
  expect(statSync(world.dataDir).mode & 0o777).toBe(0o755)
  const fixed = await doctor('--fix')
  expect([fixed.code, troublesOf(fixed)]).toEqual([0, []])
  expect(statSync(world.dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(world.dataDir, 'token')).mode & 0o777).toBe(0o600)
})

test('what a killed host left is found, and --fix removes it', async () => {
  tandem = await Tandem.start(world)
  await tandem.end('SIGKILL')
  const found = await doctor()
  expect(findingsOf(found, 'leftovers').map(({ level }) => level)).toEqual(['warn', 'warn'])
  const fixed = await doctor('--fix')
  expect(findingsOf(fixed, 'leftovers').map(({ level }) => level)).toEqual(['ok'])
  expect(existsSync(join(world.dataDir, 'endpoint.json'))).toBe(false)
})

test('a living terminal without a record is named, and --fix takes it up without a host', async () => {
  const id = await makeOrphan()
  expect(findingsOf(await doctor(), 'terminals')[0]).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('"stray"')
  })
  const fixed = await doctor('--fix')
  expect(fixed.fixed).toContainEqual(expect.stringMatching(/^Reconciled: .* adopted 1$/))
  expect(findingsOf(fixed, 'terminals')[0]?.level).toBe('ok')
  tandem = await Tandem.start(world)
  expect(await work.find(id)).toMatchObject({ name: 'stray', state: 'running' })
})

test('living terminals whose tmux lost its socket are not called none, and --fix brings it back', async () => {
  tandem = await Tandem.start(world)
  const { id } = await work.create('kept')
  const socket = world.tmux('display-message', '-p', '#{socket_path}').trim()
  await tandem.end('SIGTERM')
  rmSync(socket)
  expect(findingsOf(await doctor(), 'terminals')[0]).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('not known')
  })
  const fixed = await doctor('--fix')
  expect(findingsOf(fixed, 'terminals')[0]).toMatchObject({ level: 'ok', message: expect.stringContaining('1 living') })
  tandem = await Tandem.start(world)
  expect(await work.find(id)).toMatchObject({ state: 'running' })
})

test('a list of tmux servers that cannot be read keeps nobody from looking', async () => {
  mkdirSync(join(world.dataDir, 'tmux-servers.json'))
  expect(findingsOf(await doctor(), 'terminals')[0]?.level).toBe('ok')
})

test('with a host running --fix asks it, and only the owner may', async () => {
  tandem = await Tandem.start(world)
  const { id } = await work.create('stray')
  rmSync(join(world.project, '.collab'), { recursive: true })
  expect(findingsOf(await doctor(), 'terminals')[0]?.level).toBe('warn')
  const fixed = await doctor('--fix')
  expect(fixed.fixed).toContainEqual(expect.stringMatching(/^Reconciled: /))
  expect(findingsOf(fixed, 'terminals')[0]?.level).toBe('ok')
  expect(await work.find(id)).toMatchObject({ state: 'running' })
  const added = await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', 'agent'])
  const asAgent = { authorization: `Bearer ${added.stdout.trim()}` }
  expect((await tandem.api('POST', '/api/reconcile', {}, asAgent)).status).toBe(401)
})

test('no tmux, no shell, a bad setting, a project that is gone, a damaged file kept aside: each is said with its fix', async () => {
  tandem = await Tandem.start(world)
  await work.create()
  await tandem.end('SIGTERM')
  world.tmux('kill-server')
  const programs = join(world.root, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'tmux'), '#!/bin/sh\necho "tmux 3.2a"\n', { mode: 0o755 })
  world.environment.PATH = programs
  world.environment.SHELL = '/nowhere/shell'
  writeFileSync(join(world.dataDir, 'config.json'), '{"max_sessions": "many"}', { mode: 0o600 })
  writeFileSync(join(world.dataDir, 'workspaces.json.corrupt-1'), '', { mode: 0o600 })
  rmSync(world.project, { recursive: true })
  const found = await doctor()
  expect(found.code).toBe(1)
  expect(new Set(troublesOf(found))).toEqual(new Set(['tmux', 'shell', 'settings', 'workspaces']))
  expect(findingsOf(found, 'tmux')[0]).toMatchObject({ level: 'warn', message: expect.stringContaining('3.2a') })
  expect(findingsOf(found, 'shell')[0]?.level).toBe('fail')
  expect(findingsOf(found, 'settings')[0]?.message).toContain('max_sessions')
  expect(findingsOf(found, 'workspaces')).toHaveLength(2)
  for (const { level, fix } of found.findings) if (level !== 'ok') expect(fix).toMatch(/\w/)
})

test('the report has versions, findings and the log, and no secret, token, home path or environment value', async () => {
  tandem = await Tandem.start(world)
  const { token, openUrl, version } = tandem.ready
  await tandem.end('SIGTERM')
  const slip = `slipped ${token} ${CANARIES.GITHUB_TOKEN} at ${world.home}/secret.txt, GET ${openUrl}, Bearer zyxwvu9876`
  appendFileSync(join(world.dataDir, 'logs', 'tandem.log'), `2026-01-01T00:00:00.000Z warn ${slip}\n`)
  const { code, stdout } = await runTandem(world, ['doctor', '--report', '--data-dir', world.dataDir])
  expect(code).toBe(0)
  expect(stdout).toContain(`Tandem ${version}, Node ${process.versions.node}`)
  expect(stdout).toMatch(/^ok {4}tmux 3/m)
  expect(stdout).toContain('Reconciled: removed 0')
  expect(stdout).toContain('~/secret.txt')
  const code1 = new URL(openUrl).searchParams.get('code') ?? ''
  const { SHELL: _usual, ...canaries } = CANARIES
  for (const hidden of [token, code1, 'zyxwvu9876', world.home, ...Object.values(canaries)]) {
    expect(stdout).not.toContain(hidden)
  }
})
