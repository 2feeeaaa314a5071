import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../shared/errors'
import { type Logger, silentLog } from '../log'
import { Audit, type Deed, readAudit } from './audit'
import { readCrashes, takeUntoldCrash, writeCrashRecord } from './crashRecord'
import { HostJournal } from './hostJournal'
import { readLog } from './logFile'

let dataDir: string
const secret = 'k7hG2-owner-token-canary'
const owner = { name: 'owner', scopes: ['read'] as const, projects: null }
const deed: Deed = { actor: { token: 'owner', client: 'http' }, action: 'create', project: '/a', outcome: 'OK' }

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tandem-journal-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What a journal writes, with what it says on stderr. */
function openJournal(environment: NodeJS.ProcessEnv = {}) {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const journal = new HostJournal({ dataDir, environment, level: 'info' })
  journal.hide(secret)
  return { journal, said }
}

test('the log file has the lines of its level with time and level, and never a secret', () => {
  const { journal, said } = openJournal()
  const { log } = journal
  log.debug({}, 'too quiet')
  log.warn({ url: '/ws?token=abcdefgh&arg=x', header: 'Bearer zyxwvuts' }, `failed with ${secret}`)
  log.error({ err: new Error(`GET /?code=qwertyui and tandem_7681=cookiecookie`) }, 'two\nlines')
  journal.close()
  const [warned, failed, ...more] = readLog(dataDir, 10)
  expect(more).toEqual([])
  expect(warned).toMatch(/^\d{4}-\d\d-\d\dT.*Z warn failed with \[hidden\]/)
  expect(failed).toContain('two\\nlines')
  for (const hidden of [secret, 'abcdefgh', 'zyxwvuts', 'qwertyui', 'cookiecookie']) {
    expect(warned + (failed ?? '') + said.join('')).not.toContain(hidden)
  }
})

test('a secret is found on stderr and in the file whatever it holds, also quoted, also as a part of another', () => {
  const manyLines = '-----BEGIN "KEY"-----\nMIIcanary1234\n-----END-----'
  const { journal, said } = openJournal({
    MY_KEY: manyLines,
    SHORT_TOKEN: 'canary-5678',
    LONG_TOKEN: 'canary-5678-and-tail'
  })
  journal.log.error({ err: new Error(manyLines), inside: JSON.stringify({ key: manyLines }) }, `with ${manyLines}`)
  journal.log.warn({ value: 'canary-5678-and-tail' }, 'the longer one')
  journal.close()
  const written = [...said, ...readLog(dataDir, 10)].join('\n')
  expect(written.match(/\[hidden\]/g)).toHaveLength(8)
  for (const part of ['MIIcanary1234', 'canary-5678', 'and-tail']) expect(written).not.toContain(part)
})

test('a journal says as much as it is told to, from the first line and from when the settings are known', () => {
  const { journal, said } = openJournal()
  let level: 'debug' | 'error' = 'error'
  journal.log.debug({}, 'too early')
  journal.setLevel(() => level)
  journal.log.info({}, 'too quiet')
  level = 'debug'
  journal.log.debug({}, 'wanted')
  journal.close()
  expect(said).toEqual(['debug: wanted\n'])
  expect(readLog(dataDir, 10)).toEqual([expect.stringMatching(/ debug wanted$/)])
})

test('a log file that cannot be written is told once, harms nobody, and goes on when it can', () => {
  const { journal, said } = openJournal()
  const { log } = journal
  const path = join(dataDir, 'logs', 'tandem.log')
  mkdirSync(path, { recursive: true })
  for (let n = 0; n < 5; n++) log.info({}, `lost ${n}`)
  expect(said.filter((line) => line.includes('log file cannot be written'))).toHaveLength(1)
  rmSync(path, { recursive: true })
  log.info({}, 'kept')
  journal.close()
  expect(readLog(dataDir, 10).map((line) => line.slice(line.indexOf('info')))).toEqual(['info kept'])
})

test('a crash is told once, with its code, without the home path or secrets; the newest five are kept', () => {
  const environment = { HOME: '/home/somebody' }
  for (let n = 0; n < 7; n++) {
    const failure = new AppError('IO_ERROR', `number ${n} at /home/somebody/x and ${homedir()}/y with ${secret}`)
    writeCrashRecord(dataDir, failure, { version: '1.0.0', environment, secrets: [secret] })
    while (Date.now() === Date.parse(readCrashes(dataDir).at(-1)?.time ?? ''));
  }
  const kept = readCrashes(dataDir)
  expect(kept).toHaveLength(5)
  const told = takeUntoldCrash(dataDir)
  expect(told).toMatchObject({ version: '1.0.0', code: 'IO_ERROR' })
  expect(told?.stack).toContain('number 6 at ~/x and ~/y with [hidden]')
  expect(takeUntoldCrash(dataDir)).toBeUndefined()
  expect(readCrashes(dataDir)).toEqual(kept)
  for (const name of readdirSync(join(dataDir, 'crashes'))) {
    expect(statSync(join(dataDir, 'crashes', name)).mode & 0o777).toBe(0o600)
  }
})

test('the audit trail survives its process, counts on, and shows each caller only their projects', () => {
  const first = new Audit({ dataDir, log: silentLog })
  first.record(deed)
  first.record({ ...deed, project: '/b' })
  first.record({ actor: deed.actor, action: 'start', outcome: 'OK' })
  first.close()
  const second = new Audit({ dataDir, log: silentLog })
  second.record({ ...deed, action: 'kill', outcome: 'SESSION_NOT_FOUND' })
  second.close()
  expect(second.list(owner, 10).map(({ id, action }) => [id, action])).toEqual([
    [1, 'create'],
    [2, 'create'],
    [3, 'start'],
    [4, 'kill']
  ])
  expect(second.list({ ...owner, projects: ['/b'] }, 10).map(({ id }) => id)).toEqual([2])
  expect(second.list(owner, 1).map(({ id }) => id)).toEqual([4])
  expect(readAudit(dataDir)).toEqual(second.list(owner, 10))
  expect(statSync(join(dataDir, 'audit.jsonl')).mode & 0o777).toBe(0o600)
})

test('memory and file of the audit trail are bounded, and a long text is cut', () => {
  const audit = new Audit({ dataDir, log: silentLog })
  for (let n = 0; n < 1500; n++) {
    audit.record({ ...deed, terminal: { id: 'x', name: 'n'.repeat(5000) }, action: `number ${n}` })
  }
  audit.close()
  const entries = audit.list(owner, 5000)
  expect(entries).toHaveLength(1000)
  expect(entries.at(-1)?.action).toBe('number 1499')
  expect(entries.at(-1)?.terminal?.name).toHaveLength(512)
  const bytes = readdirSync(dataDir).map((name) => statSync(join(dataDir, name)).size)
  expect(Math.max(...bytes)).toBeLessThanOrEqual(1024 * 1024)
})

test('an outcome is recorded whichever way it ends, and a full disk is told once and stops nobody', async () => {
  const warnings: string[] = []
  const log: Logger = { ...silentLog, warn: (_fields, message) => warnings.push(message) }
  mkdirSync(join(dataDir, 'audit.jsonl'))
  const audit = new Audit({ dataDir, log })
  expect(await audit.recordOutcome(deed, async () => 7)).toBe(7)
  const failing = audit.recordOutcome(deed, () => Promise.reject(new AppError('MAX_SESSIONS', 'full')))
  await expect(failing).rejects.toThrow('full')
  expect(audit.list(owner, 10).map(({ outcome }) => outcome)).toEqual(['OK', 'MAX_SESSIONS'])
  expect(warnings).toHaveLength(1)
})

test('nothing but the declared fields of a deed is written', () => {
  const audit = new Audit({ dataDir, log: silentLog })
  audit.record({ ...deed, ...{ typed: 'a password' } })
  audit.close()
  expect(readFileSync(join(dataDir, 'audit.jsonl'), 'utf8')).not.toContain('password')
})
