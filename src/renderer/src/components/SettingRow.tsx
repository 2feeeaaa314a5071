import { useId } from 'react'
import type { Settings } from '../../../shared/settings'
import type { SettingEntry } from '../../../shared/settingsReport'
import { useBridge } from '../hooks/useBridge'
import { changeSetting } from '../stores/settings'
import { strings } from '../strings'
import { SettingField } from './SettingField'

/** One setting: what it is, what it does, its value, and the way back to the default. */
export function SettingRow({ entry }: { entry: SettingEntry }) {
  const id = useId()
  const bridge = useBridge()
  const { name, description, fallback, isInFile, overruledBy } = entry
  const change = (value: Settings[typeof name] | undefined) => void changeSetting(bridge, name, value)
  const words = strings.settings
  return (
    <div className="settingRow">
      <div className="about">
        <label htmlFor={id}>{settingLabel(name)}</label>
        <p id={`${id}-about`}>{description}</p>
        <p className="origin">
          <code>{name}</code>
          {overruledBy === null ? words.fallback(valueText(fallback)) : words.overruled(overruledBy)}
        </p>
      </div>
      <div className="value">
        <SettingField id={id} entry={entry} onChange={change} />
        {isInFile && overruledBy === null && (
          <button
            type="button"
            className="button small"
            aria-label={words.resetNamed(settingLabel(name))}
            onClick={() => change(undefined)}
          >
            {words.reset}
          </button>
        )}
      </div>
    </div>
  )
}

function settingLabel(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^ui /, 'window ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function valueText(value: Settings[SettingEntry['name']]): string {
  if (Array.isArray(value)) return value.length === 0 ? strings.settings.empty : value.join(', ')
  if (typeof value === 'object') return strings.settings.none
  if (typeof value === 'boolean') return value ? strings.settings.on : strings.settings.off
  return value === '' ? strings.settings.empty : String(value)
}
