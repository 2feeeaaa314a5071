import ElectronStore from 'electron-store'
import type { OpenConfStore } from '../core/data/settingsStore'

/** The settings file through electron-store: the same file as `conf` reads in the host without Electron. */
export const openSettings: OpenConfStore = (dataDir) =>
  new ElectronStore<Record<string, unknown>>({ cwd: dataDir, name: 'config', configFileMode: 0o600 })
