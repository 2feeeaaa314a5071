import { type FSWatcher, watch } from 'node:fs'
import Conf from 'conf'
import type { Settings } from '../../shared/settings'
import type { Logger } from '../log'
import { readSettings, type SettingsReading, type SettingsSources } from './settingsValues'

/** What the settings file must offer: `conf` in plain Node, `electron-store` (built on it) in the desktop shell. */
export interface ConfStore {
  readonly path: string
  readonly store: Record<string, unknown>
}

export type OpenConfStore = (dataDir: string) => ConfStore

export const openConf: OpenConfStore = (dataDir) =>
  new Conf({ cwd: dataDir, configName: 'config', projectName: 'tandem', configFileMode: 0o600 })

type Overrides = Pick<SettingsSources, 'environment' | 'flags'>

/** The settings in force. Reads the file again when it changes; a broken file is kept, reported, and changes nothing. */
export class SettingsStore {
  readonly #dataDir: string
  readonly #open: OpenConfStore
  readonly #overrides: Overrides
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  #reading: SettingsReading
  #watcher: FSWatcher | undefined

  constructor(options: { dataDir: string; open?: OpenConfStore; overrides: Overrides; log: Logger }) {
    this.#dataDir = options.dataDir
    this.#open = options.open ?? openConf
    this.#overrides = options.overrides
    this.#log = options.log
    this.#reading = readSettings({ ...this.#overrides, file: {} })
    this.#reload()
  }

  get current(): Settings {
    return this.#reading.settings
  }

  get problems(): readonly string[] {
    return this.#reading.problems
  }

  /** Follows the file until the returned function is called. Editors replace files, so the folder is watched. */
  follow(): () => void {
    this.#watcher = watch(this.#dataDir, (_event, file) => {
      if (file === 'config.json') this.#reload()
    })
    this.#watcher.on('error', (err) => this.#log.warn({ err }, 'settings are no longer followed'))
    return () => this.#watcher?.close()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #reload(): void {
    const before = JSON.stringify(this.#reading)
    this.#reading = this.#read()
    if (JSON.stringify(this.#reading) === before) return
    for (const problem of this.#reading.problems) this.#log.warn({}, problem)
    for (const listener of this.#listeners) listener()
  }

  #read(): SettingsReading {
    try {
      return readSettings({ ...this.#overrides, file: { ...this.#open(this.#dataDir).store } })
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      const problem = `config.json cannot be read (${reason}); it is kept, and the last good settings stay.`
      return { settings: this.#reading.settings, problems: [problem] }
    }
  }
}
