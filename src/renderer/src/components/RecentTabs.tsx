import { useEffect, useRef, useState } from 'react'
import { holdingModifiers } from '../../../shared/keys'
import type { TerminalId, TerminalSession } from '../../../shared/terminal'
import { keysOf } from '../actions/keyPlace'
import { useActionHandlers } from '../actions/registry'
import { useMark } from '../stores/activity'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { StateMark } from './StateMark'

interface RecentTabsProps {
  tabs: TerminalSession[]
  /** Newest first. */
  recent: TerminalId[]
  onChosen(id: TerminalId): void
}

/** Each press of its keys goes one terminal further back in time; letting go of the modifier goes there. */
export function RecentTabs({ tabs, recent, onChosen }: RecentTabsProps) {
  const [index, setIndex] = useState<number>()
  const known = recent.filter((id) => tabs.some((tab) => tab.id === id))
  const ids = [...known, ...tabs.map(({ id }) => id).filter((id) => !known.includes(id))]
  const step = (by: number) =>
    ids.length < 2 ? undefined : () => setIndex(((index ?? 0) + by + ids.length) % ids.length)
  useActionHandlers({ recentTab: step(1), leastRecentTab: step(-1) })
  const chosen = index === undefined ? undefined : ids[index]
  useRelease(index !== undefined, (isKept) => {
    setIndex(undefined)
    if (isKept && chosen !== undefined) onChosen(chosen)
  })
  if (index === undefined) return null
  return (
    <div className="recentTabs" role="listbox" aria-label={strings.recentTabs}>
      {ids.map((id, position) => {
        const tab = tabs.find((one) => one.id === id)
        if (!tab) return null
        return (
          <div key={id} role="option" tabIndex={-1} aria-selected={position === index}>
            <TabMark tab={tab} />
            <span>{displayText(tab.name)}</span>
          </div>
        )
      })}
    </div>
  )
}

function TabMark({ tab }: { tab: TerminalSession }) {
  return <StateMark mark={useMark(tab)} />
}

const EVENT_KEYS = ['Control', 'Alt', 'Meta']

/** Calls back when no modifier of the keys is held any more, or, with false, when the person gives up. */
function useRelease(isOpen: boolean, onRelease: (isKept: boolean) => void): void {
  const latest = useRef(onRelease)
  useEffect(() => {
    latest.current = onRelease
  })
  useEffect(() => {
    if (!isOpen) return
    const holding = keysOf('recentTab').flatMap(holdingModifiers)
    const isHeld = (event: KeyboardEvent | PointerEvent) =>
      EVENT_KEYS.some((key) => holding.includes(key) && event.getModifierState(key))
    const up = (event: KeyboardEvent | PointerEvent) => !isHeld(event) && latest.current(true)
    const giveUp = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      latest.current(false)
    }
    const blur = () => latest.current(false)
    window.addEventListener('keyup', up, true)
    // Chosen with the mouse from a list there is no key to let go of.
    window.addEventListener('pointermove', up, true)
    window.addEventListener('keydown', giveUp, true)
    window.addEventListener('blur', blur)
    return () => {
      window.removeEventListener('keyup', up, true)
      window.removeEventListener('pointermove', up, true)
      window.removeEventListener('keydown', giveUp, true)
      window.removeEventListener('blur', blur)
    }
  }, [isOpen])
}
