import { useEffect, useRef } from 'react'
import { ACTION_IDS, type ActionId } from '../../../shared/actions'

/** What actions do now. One that is absent cannot be done: its keys go to the program and no menu shows it. */
export type ActionHandlers = Partial<Record<ActionId, (() => void) | undefined>>

const scopes: { current: ActionHandlers }[] = []

/** While the component is there its handlers answer; of two for one action the one mounted later does. */
export function useActionHandlers(handlers: ActionHandlers): void {
  const scope = useRef(handlers)
  useEffect(() => {
    scope.current = handlers
  })
  useEffect(() => {
    scopes.push(scope)
    return () => void scopes.splice(scopes.indexOf(scope), 1)
  }, [])
}

export function canRun(id: ActionId): boolean {
  return handlerOf(id) !== undefined
}

/** False when nothing answers to the action now. */
export function runAction(id: ActionId): boolean {
  const handler = handlerOf(id)
  handler?.()
  return handler !== undefined
}

/** Every action that can be done now, in the order of their declaration. */
export function availableActions(): ActionId[] {
  return ACTION_IDS.filter(canRun)
}

function handlerOf(id: ActionId): (() => void) | undefined {
  return scopes.findLast(({ current }) => current[id] !== undefined)?.current[id]
}
