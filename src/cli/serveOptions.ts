import type { SettingsSources } from '../core/data/settingsValues'
import { flagName, SETTING_NAMES, type SettingName } from '../shared/settings'

const LOOPBACK = ['127.0.0.1', 'localhost']

export interface ServeOptions {
  port?: string
  host: string
  dataDir?: string
  token?: string
  json?: true
  open?: true
  allowRemote?: true
  takeOver?: true
  [settingFlag: string]: string | true | undefined
}

export function isLoopback(address: string): boolean {
  return LOOPBACK.includes(address)
}

export function settingFlags(options: ServeOptions): SettingsSources['flags'] {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const value = options[camelCase(flagName(name))]
    if (typeof value === 'string') flags[name] = value
  }
  return flags
}

function camelCase(flag: string): string {
  return flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
