import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Access } from '../../shared/access'
import { SETTING_NAMES, SETTINGS, type Settings } from '../../shared/settings'
import { FakeBackend } from '../backends/fakeBackend'
import { type Logger, silentLog } from '../log'
import { Terminals } from '../terminal/terminals'
import { COLLAB_DIRECTORY, STORE_NAME } from './paths'
import { Workspaces } from './workspaces'
import type { WorkspacesOptions } from './workspacesOptions'

export const OWNER = '11111111-2222-4333-8444-555555555555'
export const FULL_ACCESS: Access = { name: 'owner', scopes: ['read', 'type', 'kill'], projects: null }

/** For tests: a project and a data dir in a temporary directory, and hosts on one fake backend. */
export class WorkspacesFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-workspaces-')))
  readonly project = this.makeProject('project')
  readonly dataDir = this.makeProject('data')
  readonly backend = new FakeBackend()
  readonly logged: string[] = []
  settings: Settings = defaultSettings()
  readonly #hosts: Workspaces[] = []

  /** A host; a second one plays the first after a restart. */
  host(overrides: Partial<WorkspacesOptions> = {}): Workspaces {
    const settings = () => this.settings
    const terminals = overrides.terminals ?? new Terminals({ backend: this.backend, settings, log: silentLog })
    const environment = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', HOME: this.root }
    const log = this.#log()
    const options = { terminals, dataDir: this.dataDir, owner: OWNER, settings, environment, log, ...overrides }
    const workspaces = new Workspaces(options)
    this.#hosts.push(workspaces)
    return workspaces
  }

  makeProject(name: string): string {
    const path = join(this.root, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  storePath(session = 'default', project = this.project): string {
    return join(project, COLLAB_DIRECTORY, session, STORE_NAME)
  }

  // A test states what the file holds by what it expects of it. Without its checksum, so that it can be changed and written.
  readStore(session = 'default', project = this.project): StoreOnDisk {
    const { checksum: _, ...store } = JSON.parse(readFileSync(this.storePath(session, project), 'utf8')) as StoreOnDisk
    return store
  }

  writeStore(content: unknown, session = 'default'): void {
    const path = this.storePath(session)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }

  filesBeside(session = 'default'): string[] {
    return readdirSync(dirname(this.storePath(session))).sort()
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.stop()))
    rmSync(this.root, { recursive: true, force: true })
  }

  #log(): Logger {
    const write = (_: object, message: string) => void this.logged.push(message)
    return { ...silentLog, info: write, warn: write, error: write }
  }
}

export interface StoreOnDisk {
  version: number
  sessions: RecordOnDisk[]
  ended: RecordOnDisk[]
  lastModified: string
  [unknown: string]: unknown
}

export interface RecordOnDisk {
  id: string
  name: string
  tmuxSession: string
  order: number
  [unknown: string]: unknown
}

export function defaultSettings(): Settings {
  const values = SETTING_NAMES.map((name) => [name, SETTINGS[name].fallback])
  // Every setting is there with its own fallback.
  return Object.fromEntries(values) as Settings
}

/** A record as a file may hold it, of a terminal that never was. */
export function strayRecord(number: number, more: object = {}): RecordOnDisk {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const created = '2026-01-01T00:00:00.000Z'
  return { id, name: `Stray ${number}`, tmuxSession: `mc-stray-${number}`, created, order: number, ...more }
}
