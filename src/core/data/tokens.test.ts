import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SCOPES } from '../../shared/access'
import { Tokens } from './tokens'

let dataDir: string
const opened: Tokens[] = []

function open(ownerToken?: string): Tokens {
  const tokens = new Tokens({ dataDir, ownerToken })
  opened.push(tokens)
  return tokens
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tandem-tokens-'))
})
afterEach(() => {
  for (const tokens of opened.splice(0)) tokens.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the owner token', () => {
  test('is 256 bits, kept 0600, and the same next time', () => {
    const secret = open().ownerToken
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(statSync(join(dataDir, 'token')).mode & 0o777).toBe(0o600)
    expect(open().ownerToken).toBe(secret)
    expect(open().verify(secret)).toEqual({ name: 'owner', scopes: SCOPES, projects: null })
  })

  test('that was given is written nowhere and replaces the kept one for this run', () => {
    const kept = open().ownerToken
    const given = open('given-secret')
    expect(given.verify('given-secret')?.name).toBe('owner')
    expect(given.verify(kept)).toBeUndefined()
    expect(readFileSync(join(dataDir, 'token'), 'utf8').trim()).toBe(kept)
  })

  test('a given one leaves no file behind', () => {
    open('given-secret').verify('x')
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('an empty or damaged file is reported, not replaced', () => {
    writeFileSync(join(dataDir, 'token'), '\n')
    expect(() => open().ownerToken).toThrow('does not hold a token')
    expect(readFileSync(join(dataDir, 'token'), 'utf8')).toBe('\n')
  })

  test('a file that others could read is closed to them', () => {
    writeFileSync(join(dataDir, 'token'), `${'a'.repeat(43)}\n`, { mode: 0o644 })
    expect(open().ownerToken).toBe('a'.repeat(43))
    expect(statSync(join(dataDir, 'token')).mode & 0o777).toBe(0o600)
  })
})

describe('named tokens', () => {
  test('carry their scopes and projects', () => {
    const project = join(dataDir, 'project')
    mkdirSync(project)
    const tokens = open()
    const secret = tokens.add('claude', { scopes: ['read', 'type'], projects: [project] })
    expect(tokens.verify(secret)).toEqual({
      name: 'claude',
      scopes: ['read', 'type'],
      projects: [realpathSync(project)]
    })
    expect(tokens.list()).toMatchObject([{ name: 'claude', scopes: ['read', 'type'] }])
  })

  test('are kept only as hashes, in a 0600 file', () => {
    const secret = open().add('claude', { scopes: SCOPES, projects: null })
    const content = readFileSync(join(dataDir, 'tokens.json'), 'utf8')
    expect(content).not.toContain(secret)
    expect(JSON.stringify(open().list())).not.toMatch(/hash/)
    expect(statSync(join(dataDir, 'tokens.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['tokens.json'])
  })

  test.each(['', 'nonsense', ' ', 'x'.repeat(600)])('the secret "%.12s" opens nothing', (secret) => {
    const tokens = open()
    tokens.add('claude', { scopes: SCOPES, projects: null })
    expect(tokens.verify(secret)).toBeUndefined()
  })

  test.each(['owner', '', '../x', 'a b', 'é', '.hidden', 'x'.repeat(65)])('"%s" is no name for one', (name) => {
    expect(() => open().add(name, { scopes: SCOPES, projects: null })).toThrow('cannot name a token')
    expect(existsSync(join(dataDir, 'tokens.json'))).toBe(false)
  })

  test('a name is used once', () => {
    const tokens = open()
    tokens.add('claude', { scopes: SCOPES, projects: null })
    expect(() => tokens.add('claude', { scopes: SCOPES, projects: null })).toThrow('There is a token "claude" already')
  })

  test.each(['relative', '/does/not/exist'])('the project "%s" is refused', (project) => {
    expect(() => open().add('claude', { scopes: SCOPES, projects: [project] })).toThrow(`"${project}"`)
  })

  test('what another process adds or revokes counts at once', () => {
    const host = open()
    const command = open()
    expect(host.list()).toEqual([])
    const secret = command.add('claude', { scopes: SCOPES, projects: null })
    expect(host.verify(secret)?.name).toBe('claude')
    expect(command.revoke('claude')).toBe(true)
    expect(host.verify(secret)).toBeUndefined()
    expect(command.revoke('claude')).toBe(false)
  })

  test('a revocation by another process is announced once, and so is a replacement under the same name', async () => {
    const host = open()
    const command = open()
    command.add('claude', { scopes: SCOPES, projects: null })
    command.add('codex', { scopes: SCOPES, projects: null })
    const heard: string[] = []
    host.onRevoked((name) => heard.push(name))
    command.revoke('claude')
    await vi.waitFor(() => expect(heard).toEqual(['claude']), { timeout: 10_000 })
    command.revoke('codex')
    command.add('codex', { scopes: ['read'], projects: null })
    await vi.waitFor(() => expect(heard).toEqual(['claude', 'codex']), { timeout: 10_000 })
  })

  test('a damaged file opens no door, is not overwritten, and the owner still comes in', () => {
    const tokens = open()
    const secret = tokens.add('claude', { scopes: SCOPES, projects: null })
    writeFileSync(join(dataDir, 'tokens.json'), '{"version":1,"tok')
    expect(tokens.verify(secret)).toBeUndefined()
    expect(tokens.verify(tokens.ownerToken)?.name).toBe('owner')
    expect(() => tokens.add('codex', { scopes: SCOPES, projects: null })).toThrow('cannot be read')
    expect(readFileSync(join(dataDir, 'tokens.json'), 'utf8')).toBe('{"version":1,"tok')
  })

  test('a lock left by a process that died is taken over', () => {
    const lock = join(dataDir, 'tokens.json.lock')
    writeFileSync(lock, '')
    utimesSync(lock, new Date(0), new Date(0))
    open().add('claude', { scopes: SCOPES, projects: null })
    expect(readdirSync(dataDir)).toEqual(['tokens.json'])
  })
})
