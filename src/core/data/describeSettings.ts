import { z } from 'zod'
import {
  environmentName,
  flagName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings
} from '../../shared/settings'
import type { SettingControl, SettingEntry, SettingGroup } from '../../shared/settingsReport'
import type { SettingsSources } from './settingsValues'

const GROUPS: Partial<Record<SettingName, SettingGroup>> = {
  ...inGroup('Appearance', ['theme', 'terminal_theme', 'minimum_contrast', 'ui_font_family', 'ui_font_size']),
  ...inGroup('Terminal', ['font_family', 'font_size', 'line_height', 'cursor_style', 'cursor_blink', 'renderer']),
  ...inGroup('Terminal', ['smooth_scroll', 'scroll_on_output', 'screen_reader_mode', 'scrollback_limit']),
  ...inGroup('Copy and paste', ['copy_on_select', 'paste_warning', 'clipboard_write']),
  ...inGroup('Attention', ['bell', 'notifications', 'notify_after', 'confirm_close', 'give_back_after']),
  ...inGroup('Keyboard', ['shortcuts']),
  ...inGroup('New terminals', ['default_shell', 'default_rows', 'default_cols', 'term', 'pass_env', 'backend'])
}

// What people look for most comes first.
const IN_ORDER = [...new Set([...(Object.keys(GROUPS) as SettingName[]), ...SETTING_NAMES])]

/** Every setting with its value, how it is asked for and what overrules it; what belongs to no other group is the host's. */
export function describeSettings(settings: Settings, sources: SettingsSources): SettingEntry[] {
  return IN_ORDER.map((name) => {
    const { schema, fallback, allowed, description } = SETTINGS[name]
    return {
      name,
      group: GROUPS[name] ?? 'Host',
      description,
      allowed,
      control: controlOf(schema),
      value: settings[name],
      fallback: fallback as Settings[SettingName],
      isInFile: Object.hasOwn(sources.file, name),
      overruledBy: overruler(name, sources)
    }
  })
}

export function overruler(name: SettingName, { environment, flags }: SettingsSources): string | null {
  if (flags[name] !== undefined) return flagName(name)
  return environment[environmentName(name)] === undefined ? null : environmentName(name)
}

function controlOf(schema: z.ZodType): SettingControl {
  const { type, enum: options, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = z.toJSONSchema(schema)
  if (options) return { kind: 'choice', options: options.map(String) }
  if (type === 'boolean') return { kind: 'toggle' }
  if (type === 'array') return { kind: 'list' }
  if (type === 'object') return { kind: 'file' }
  if (type === 'number' || type === 'integer') {
    return { kind: 'number', min: minimum, max: maximum, isWhole: type === 'integer' }
  }
  return { kind: 'text' }
}

function inGroup(group: SettingGroup, names: SettingName[]): Partial<Record<SettingName, SettingGroup>> {
  return Object.fromEntries(names.map((name) => [name, group]))
}
