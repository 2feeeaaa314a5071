import { type ChangeEvent, useEffect, useState } from 'react'
import type { Settings } from '../../../shared/settings'
import type { SettingEntry } from '../../../shared/settingsReport'
import { strings } from '../strings'

interface FieldProps {
  id: string
  entry: SettingEntry
  onChange(value: Settings[SettingEntry['name']]): void
}

/** The control that fits a setting: a switch, a list to choose from, a number or a text. */
export function SettingField({ id, entry, onChange }: FieldProps) {
  const { control, value, overruledBy } = entry
  const shared = { id, 'aria-describedby': `${id}-about`, disabled: overruledBy !== null }
  // The host checks every value against its own schema before it writes it.
  const change = (changed: unknown) => onChange(changed as Settings[SettingEntry['name']])
  if (control.kind === 'toggle') {
    return (
      <input
        {...shared}
        type="checkbox"
        className="switch"
        checked={value === true}
        onChange={({ target }) => change(target.checked)}
      />
    )
  }
  if (control.kind === 'choice') {
    return (
      <select {...shared} value={String(value)} onChange={({ target }) => change(target.value)}>
        {control.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  if (control.kind === 'file') {
    const count = Object.keys(value).length
    return <output id={id}>{strings.settings.inFile(count)}</output>
  }
  return <TypedField shared={shared} entry={entry} onChange={change} />
}

interface TypedProps {
  shared: { id: string; disabled: boolean }
  entry: SettingEntry
  onChange(value: unknown): void
}

/** What is typed counts when the person is done: on Enter, on leaving, and with each step of a number. */
function TypedField({ shared, entry: { control, value, allowed }, onChange }: TypedProps) {
  const written = Array.isArray(value) ? value.join(', ') : String(value)
  const [draft, setDraft] = useState(written)
  useEffect(() => setDraft(written), [written])
  const finish = (text: string) => {
    if (text !== written) onChange(typedValue(text, control))
  }
  const typed = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    setDraft(target.value)
    // A step by the arrows of the field is no typing.
    if (!('inputType' in nativeEvent) && target.validity.valid) finish(target.value)
  }
  const limits =
    control.kind === 'number'
      ? { type: 'number', min: control.min, max: control.max, step: control.isWhole ? 1 : 'any' }
      : { type: 'text', placeholder: allowed }
  return (
    <input
      {...shared}
      {...limits}
      spellCheck={false}
      value={draft}
      onChange={typed}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') finish(currentTarget.value)
      }}
    />
  )
}

function typedValue(text: string, { kind }: SettingEntry['control']): unknown {
  if (kind === 'number') return text.trim() === '' ? undefined : Number(text)
  if (kind !== 'list') return text
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
