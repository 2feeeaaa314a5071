import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findDataDir, locateDataDir, namedDataDir, openDataDir, standardDataDir } from './dataDir'
import { publishEndpoint, readEndpoint } from './discovery'
import { ownerIdOf } from './ownerId'
import { lockHolder, noteLockHolder, takeOwnerLock } from './ownerLock'
import { makePrivateFile } from './privateFile'
import { makeRuntimeDir } from './runtimeDir'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-data-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the data directory', () => {
  test('is made 0700, and an open one is closed to others', () => {
    const made = openDataDir({ HOME: root }, join(root, 'a', 'b')).path
    expect(statSync(made).mode & 0o777).toBe(0o700)
    chmodSync(made, 0o755)
    openDataDir({ HOME: root }, made)
    expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  test('the standard one has the tmux server "tandem", every other its own', () => {
    const environment = { HOME: root }
    expect(openDataDir(environment).tmuxSocket).toBe('tandem')
    expect(openDataDir(environment).path).toBe(standardDataDir(environment))
    expect(openDataDir(environment, join(root, 'other')).tmuxSocket).toMatch(/^tandem-[0-9a-f]{8}$/)
    expect(openDataDir({ ...environment, TANDEM_TMUX_SOCKET: 'mine-1' }).tmuxSocket).toBe('mine-1')
  })

  test.each(['default', '../x', 'a b', '', 'x'.repeat(65)])('refuses the tmux socket name "%s"', (name) => {
    const environment = { HOME: root, TANDEM_TMUX_SOCKET: name }
    if (name === '') expect(openDataDir(environment).tmuxSocket).toBe('tandem')
    else expect(() => openDataDir(environment)).toThrow(`TANDEM_TMUX_SOCKET is "${name}"`)
  })

  test('a variable that is set to nothing says nothing, and an empty flag is refused', () => {
    const environment = { HOME: root, TANDEM_DATA_DIR: '' }
    expect(openDataDir(environment).path).toBe(standardDataDir(environment))
    expect(() => openDataDir(environment, '')).toThrow('--data-dir is empty')
  })

  test('that is somebody else’s directory is refused and left as it is; an empty one, or one of ours, is taken', () => {
    const shared = join(root, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o775)
    writeFileSync(join(shared, 'holiday.jpg'), '')
    expect(() => openDataDir({ HOME: root }, shared)).toThrow('holds other things')
    expect([statSync(shared).mode & 0o777, readdirSync(shared)]).toEqual([0o775, ['holiday.jpg']])
    rmSync(join(shared, 'holiday.jpg'))
    for (const name of ['config.json', '.0123456789ab.tmp']) writeFileSync(join(shared, name), '{}')
    openDataDir({ HOME: root }, shared)
    expect(statSync(shared).mode & 0o777).toBe(0o700)
    writeFileSync(join(shared, 'notes.txt'), '')
    expect(openDataDir({ HOME: root }, shared).path).toBe(shared)
  })

  test('the usual one is ours whatever a person put there before the first start', () => {
    const path = standardDataDir({ HOME: root })
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'README'), '')
    expect(openDataDir({ HOME: root }).path).toBe(path)
  })

  test('is only looked for by those who only ask: nothing is made, nothing is closed', () => {
    const absent = join(root, 'typing', 'error')
    expect(findDataDir({ HOME: root }, absent).path).toBe(absent)
    expect(readdirSync(root)).toEqual([])
    const shared = join(root, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o775)
    expect(findDataDir({ HOME: root }, shared).path).toBe(shared)
    expect([statSync(shared).mode & 0o777, readdirSync(shared)]).toEqual([0o775, []])
  })

  test('has one tmux server however its home is spelled, before it exists and after', () => {
    mkdirSync(join(root, 'var', 'u', 'dotfiles'), { recursive: true })
    symlinkSync(join(root, 'var', 'u'), join(root, 'u'))
    symlinkSync('dotfiles', join(root, 'var', 'u', '.config'))
    const [linked, plain] = [{ HOME: join(root, 'u') }, { HOME: join(root, 'var', 'u') }]
    const asked = [linked, plain].flatMap((environment) => [
      locateDataDir(environment),
      locateDataDir(environment, join(root, 'u', '.config', 'tandem'))
    ])
    openDataDir(linked)
    const all = [
      ...asked,
      locateDataDir(linked),
      locateDataDir(plain),
      openDataDir(plain, join(root, 'u/.config/tandem'))
    ]
    const only = { path: join(root, 'var/u/dotfiles/tandem'), tmuxSocket: 'tandem' }
    expect(all).toEqual(all.map(() => only))
    expect(all.map((one) => namedDataDir(linked, one))).toEqual(all.map(() => undefined))
    const others = [join(root, 'u', 'other'), join(root, 'var', 'u', 'other')]
    expect(new Set(others.map((path) => openDataDir(linked, path).tmuxSocket)).size).toBe(1)
  })

  test('that cannot be made is named, with what to do', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => openDataDir({ HOME: root }, join(root, 'file'))).toThrow('Cannot use the data directory')
  })
})

describe('what it holds', () => {
  test('the owner id is made once', () => {
    expect(ownerIdOf(root)).toBe(ownerIdOf(root))
    expect(statSync(join(root, 'owner-id')).mode & 0o777).toBe(0o600)
  })

  test('of several that make a file at once the first one does, and the others leave it', () => {
    const path = join(root, 'made')
    for (const content of ['first', 'second']) makePrivateFile(path, content)
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['first', 0o600])
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('a damaged owner id is replaced', () => {
    writeFileSync(join(root, 'owner-id'), 'nonsense')
    expect(ownerIdOf(root)).toMatch(/^[0-9a-f-]{36}$/)
    expect(ownerIdOf(root)).toBe(ownerIdOf(root))
  })

  test('the endpoint is 0600, readable by other processes, and gone after the host', () => {
    const endpoint = { url: 'http://127.0.0.1:1', pid: 1, version: '0', token: 'secret' }
    const withdraw = publishEndpoint(root, endpoint)
    expect(readEndpoint(root)).toEqual(endpoint)
    expect(statSync(join(root, 'endpoint.json')).mode & 0o777).toBe(0o600)
    withdraw()
    expect(readEndpoint(root)).toBeUndefined()
  })

  test('a damaged endpoint is no endpoint', () => {
    writeFileSync(join(root, 'endpoint.json'), '{"url":')
    expect(readEndpoint(root)).toBeUndefined()
  })

  test('a runtime directory that a killed host left is cleared by the next', () => {
    const left = makeRuntimeDir(root, {})
    writeFileSync(join(left.path, 'fifo'), '')
    const next = makeRuntimeDir(root, {})
    expect(existsSync(left.path)).toBe(false)
    expect(statSync(next.path).mode & 0o777).toBe(0o700)
    next.remove()
    expect(existsSync(next.path)).toBe(false)
    expect(readdirSync(root)).toEqual([])
  })

  test('a runtime note that points elsewhere removes nothing', () => {
    const canary = join(root, 'canary')
    writeFileSync(canary, '')
    writeFileSync(join(root, 'runtime-dir'), `${root}\n`)
    makeRuntimeDir(root, {}).remove()
    expect(existsSync(canary)).toBe(true)
  })
})

describe('the owner lock', () => {
  test('is held by one at a time and free again after release', async () => {
    const owner = ownerIdOf(root)
    const release = await takeOwnerLock(root, owner)
    expect(release).toBeDefined()
    expect(await takeOwnerLock(root, owner)).toBeUndefined()
    release?.()
    const again = await takeOwnerLock(root, owner)
    expect(again).toBeDefined()
    again?.()
  })

  test('names its holder while that lives, and nobody else', async () => {
    const release = await takeOwnerLock(root, ownerIdOf(root))
    expect(lockHolder(root)).toBeUndefined()
    noteLockHolder(root)
    expect([lockHolder(root), statSync(join(root, 'lock')).mode & 0o777]).toEqual([process.pid, 0o600])
    writeFileSync(join(root, 'lock'), JSON.stringify({ pid: process.pid, started: 'another day' }))
    expect(lockHolder(root)).toBeUndefined()
    release?.()
  })

  test('is freed by the kernel when its holder is killed', async () => {
    const owner = ownerIdOf(root)
    const script = `require('net').createServer().listen({path:'\\0tandem-${owner}'},()=>console.log('held'))`
    const holder = spawn(process.execPath, ['-e', script])
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    expect(await takeOwnerLock(root, owner)).toBeUndefined()
    const gone = new Promise((resolve) => holder.once('exit', resolve))
    execFileSync('kill', ['-9', String(holder.pid)])
    await gone
    const release = await takeOwnerLock(root, owner)
    expect(release).toBeDefined()
    release?.()
  })
})
