import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useActionHandlers } from '../actions/registry'
import { strings } from '../strings'
import type { FindResult } from '../terminal/finder'
import type { TerminalView } from '../terminal/terminalView'
import { Icon } from './Icon'

const text = strings.find
const NOTHING: FindResult = { position: 0, count: 0 }

/** Finds in the terminal of the active pane; it opens with its keys and Escape closes it. */
export function FindBar({ view }: { view: RefObject<TerminalView | undefined> }) {
  const [opened, setOpened] = useState(0)
  const clear = () => view.current?.clear()
  useActionHandlers({ find: () => setOpened((count) => count + 1), clearTerminal: clear })
  const close = () => {
    setOpened(0)
    view.current?.finder.clear()
    view.current?.focus()
  }
  return opened === 0 ? null : <FindFields key={opened} view={view} onClose={close} />
}

function FindFields({ view, onClose }: { view: RefObject<TerminalView | undefined>; onClose(): void }) {
  const field = useRef<HTMLInputElement>(null)
  const [options, setOptions] = useState({ isRegex: false, isCaseSensitive: false })
  const [result, setResult] = useState(NOTHING)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => view.current?.finder.onResult(setResult), [view])
  useEffect(() => field.current?.select(), [])
  const find = (how: { backwards?: boolean; isTyping?: boolean }, chosen = options) => {
    const isFine = view.current?.finder.find(field.current?.value ?? '', { ...chosen, ...how }) ?? true
    setBroken(!isFine)
    if (field.current?.value === '' || !isFine) setResult(NOTHING)
  }
  const toggle = (name: keyof typeof options) => {
    const chosen = { ...options, [name]: !options[name] }
    setOptions(chosen)
    find({ isTyping: true }, chosen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter') find({ backwards: event.shiftKey })
    else return
    event.preventDefault()
  }
  const isEmpty = result.count === 0 && (field.current?.value ?? '') !== ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element has no better support than its role
    <div className="findBar" role="search" onKeyDown={onKeyDown}>
      <input
        ref={field}
        aria-label={text.label}
        placeholder={text.label}
        spellCheck={false}
        aria-invalid={isBroken}
        onChange={() => find({ isTyping: true })}
      />
      <Count said={isBroken ? text.broken : text.count(result.position, result.count)} isNone={isEmpty || isBroken} />
      <ToggleButton
        label={text.caseSensitive}
        sign="Aa"
        isOn={options.isCaseSensitive}
        onToggle={() => toggle('isCaseSensitive')}
      />
      <ToggleButton label={text.regex} sign=".*" isOn={options.isRegex} onToggle={() => toggle('isRegex')} />
      <IconButton label={text.previous} name="up" onClick={() => find({ backwards: true })} />
      <IconButton label={text.next} name="down" onClick={() => find({})} />
      <IconButton label={text.close} name="close" onClick={onClose} />
    </div>
  )
}

/** Cut where the pane is narrow; hovering shows all of it. */
function Count({ said, isNone }: { said: string; isNone: boolean }) {
  return (
    <span className={isNone ? 'count none' : 'count'} role="status" title={said}>
      {said}
    </span>
  )
}

function ToggleButton(props: { label: string; sign: string; isOn: boolean; onToggle(): void }) {
  const { label, sign, isOn, onToggle } = props
  return (
    <button
      type="button"
      className="iconButton sign"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={onToggle}
    >
      {sign}
    </button>
  )
}

function IconButton({ label, name, onClick }: { label: string; name: 'up' | 'down' | 'close'; onClick(): void }) {
  return (
    <button type="button" className="iconButton" aria-label={label} title={label} onClick={onClick}>
      <Icon name={name} />
    </button>
  )
}
