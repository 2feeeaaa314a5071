import { type KeyboardEvent, useEffect, useRef } from 'react'
import { strings } from '../strings'

const MAX_NAME_CHARACTERS = 256

/** The tab's name as a field in place: Enter or leaving it keeps what was typed, Escape or nothing typed does not. */
export function RenameField({ name, onDone }: { name: string; onDone(name: string | undefined): void }) {
  const field = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (keep: boolean) => {
    if (done.current) return
    done.current = true
    const typed = field.current?.value.trim() ?? ''
    onDone(keep && typed !== '' ? typed : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') finish(true)
    else if (event.key === 'Escape') finish(false)
  }
  return (
    <input
      ref={field}
      className="rename"
      aria-label={strings.renameTerminal}
      defaultValue={name}
      maxLength={MAX_NAME_CHARACTERS}
      spellCheck={false}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  )
}
