import type { SettingName, Settings } from './settings'

/** How a setting is asked for, derived from its schema. */
export type SettingControl =
  | { kind: 'choice'; options: string[] }
  | { kind: 'number'; min: number; max: number; isWhole: boolean }
  | { kind: 'toggle' }
  | { kind: 'text' }
  | { kind: 'list' }
  /** Too much for a field: written in the file. */
  | { kind: 'file' }

export type SettingGroup =
  | 'Appearance'
  | 'Terminal'
  | 'Copy and paste'
  | 'Attention'
  | 'Keyboard'
  | 'New terminals'
  | 'Host'

/** One setting as the window shows it. */
export interface SettingEntry {
  name: SettingName
  group: SettingGroup
  description: string
  allowed: string
  control: SettingControl
  value: Settings[SettingName]
  fallback: Settings[SettingName]
  /** Whether the file holds a value for it. */
  isInFile: boolean
  /** The flag or variable that is stronger than the file, as it is written. */
  overruledBy: string | null
}

/** Every setting in force, where it comes from, and what is wrong with the file. */
export interface SettingsReport {
  /** The file that holds them. */
  path: string
  values: Settings
  entries: SettingEntry[]
  /** One sentence each. */
  problems: string[]
}
