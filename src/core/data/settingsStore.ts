import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import Conf from 'conf'
import { AppError } from '../../shared/errors'
import { SETTINGS, type SettingName, type Settings } from '../../shared/settings'
import type { SettingsReport } from '../../shared/settingsReport'
import { type Logger, silentLog } from '../log'
import { describeSettings, overruler } from './describeSettings'
import { acceptedValue, readSettings, type SettingsReading, type SettingsSources } from './settingsValues'

/** What the settings file must offer: `conf` in plain Node, `electron-store` (built on it) in the desktop shell. */
export interface ConfStore {
  readonly path: string
  readonly store: Record<string, unknown>
  set(name: string, value: unknown): void
  delete(name: string): void
}

export type OpenConfStore = (dataDir: string) => ConfStore

export const openConf: OpenConfStore = (dataDir) =>
  new Conf({ cwd: dataDir, configName: 'config', projectName: 'tandem', configFileMode: 0o600 })

const FILE_NAME = 'config.json'
/** Some programs empty a file before they write it: it is read when it has come to rest. */
const SETTLE_MS = 100

type Overrides = Pick<SettingsSources, 'environment' | 'flags'>

/** The settings in force. Reads the file again when it changes; a broken file is kept, reported, and changes nothing. */
export class SettingsStore {
  readonly #dataDir: string
  readonly #open: OpenConfStore
  readonly #overrides: Overrides
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  #reading: SettingsReading
  // What the file held when it could last be read.
  #file: Record<string, unknown> = {}
  #watcher: FSWatcher | undefined

  constructor(options: { dataDir: string; open?: OpenConfStore; overrides: Overrides; log: Logger }) {
    this.#dataDir = options.dataDir
    this.#open = options.open ?? openConf
    this.#overrides = options.overrides
    this.#log = options.log
    this.#reading = readSettings({ ...this.#overrides, file: {} })
    this.#reading = this.#read()
    this.#warn()
  }

  get current(): Settings {
    return this.#reading.settings
  }

  get problems(): readonly string[] {
    return this.#reading.problems
  }

  /** Everything a person may want to know about the settings. */
  report(): SettingsReport {
    const entries = describeSettings(this.current, { ...this.#overrides, file: this.#file })
    return { path: join(this.#dataDir, FILE_NAME), values: this.current, entries, problems: [...this.problems] }
  }

  /**
   * Writes one value into the file, or takes it out (undefined), and tells everybody. What else the file holds stays; a
   * file that cannot be read is not written either, since that would lose what a person wrote.
   */
  change(name: SettingName, value: unknown): void {
    const overruledBy = overruler(name, { ...this.#overrides, file: {} })
    if (overruledBy !== null) {
      throw new AppError('INVALID_ARGUMENTS', `"${name}" is set by ${overruledBy}`, 'Start Tandem without it first.')
    }
    const checked = value === undefined ? undefined : checkedValue(name, value)
    try {
      const file = this.#open(this.#dataDir)
      if (checked === undefined) file.delete(name)
      else file.set(name, checked)
    } catch (failure) {
      const hint = `Look at ${join(this.#dataDir, FILE_NAME)}: is it whole, and may it be written?`
      throw new AppError('STORE_WRITE_FAILED', `"${name}" was not saved (${reasonOf(failure)})`, hint, {
        cause: failure
      })
    }
    this.#reload()
  }

  /** Follows the file until the returned function is called. Editors replace files, so the folder is watched. */
  follow(): () => void {
    let timer: NodeJS.Timeout | undefined
    this.#watcher = watch(this.#dataDir, (_event, file) => {
      if (file !== FILE_NAME) return
      clearTimeout(timer)
      timer = setTimeout(() => this.#reload(), SETTLE_MS)
    })
    this.#watcher.on('error', (err) => this.#log.warn({ err }, 'settings are no longer followed'))
    return () => {
      clearTimeout(timer)
      this.#watcher?.close()
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #reload(): void {
    const before = JSON.stringify([this.#reading, this.#file])
    this.#reading = this.#read()
    if (JSON.stringify([this.#reading, this.#file]) === before) return
    this.#warn()
    for (const listener of this.#listeners) listener()
  }

  #warn(): void {
    for (const problem of this.problems) this.#log.warn({}, problem)
  }

  #read(): SettingsReading {
    try {
      this.#file = { ...this.#open(this.#dataDir).store }
      return readSettings({ ...this.#overrides, file: this.#file })
    } catch (failure) {
      const problem = `${FILE_NAME} cannot be read (${reasonOf(failure)}); it is kept, and the last good settings stay.`
      return { settings: this.#reading.settings, problems: [problem] }
    }
  }
}

/** The settings that a host would start with now. Nothing is made, followed or said. */
export function settingsNow(dataDir: string, overrides: Overrides): SettingsReading {
  if (!existsSync(join(dataDir, FILE_NAME))) return readSettings({ ...overrides, file: {} })
  const { current, problems } = new SettingsStore({ dataDir, overrides, log: silentLog })
  return { settings: current, problems: [...problems] }
}

function checkedValue(name: SettingName, value: unknown): unknown {
  const accepted = acceptedValue(name, value)
  if (accepted !== undefined) return accepted
  throw new AppError(
    'INVALID_ARGUMENTS',
    `"${name}" cannot be ${JSON.stringify(value)?.slice(0, 200)}`,
    `It must be ${SETTINGS[name].allowed}.`
  )
}

function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
