import { useEffect } from 'react'
import { ACTION_IDS, type ActionId, actionOf } from '../../../shared/actions'
import { isPressed } from '../../../shared/keys'
import { keysOf } from '../actions/keyPlace'
import { canRun, runAction } from '../actions/registry'

/** Listens before the terminal does, so that an action's keys never reach the program as well. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const id = pressedAction(event)
      // What lies over the page has the keyboard to itself.
      if (id === undefined || document.querySelector('dialog:modal, [role=menu]')) return
      event.preventDefault()
      event.stopPropagation()
      runAction(id)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [])
}

function pressedAction(event: KeyboardEvent): ActionId | undefined {
  const isMeant = (id: ActionId) =>
    keysOf(id).some((chord) => isPressed(chord, event)) &&
    !(actionOf(id).leavesKeysToPrograms && isTyping(event.target))
  return ACTION_IDS.find((id) => isMeant(id) && canRun(id))
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea')
}
