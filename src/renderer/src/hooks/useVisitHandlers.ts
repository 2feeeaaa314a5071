import { useEffect } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { goToType } from '../actions/goToTerminal'
import { useActionHandlers } from '../actions/registry'
import { canGo, stepVisit, useVisits, visited } from '../stores/visits'

/** Notes where the person is, and takes them back and forth. */
export function useVisitHandlers({ project, session }: WorkspaceKey, id: TerminalId | null): void {
  const visits = useVisits()
  useEffect(() => {
    if (id !== null) visited({ workspace: { project, session }, id })
  }, [project, session, id])
  const step = (by: -1 | 1) => {
    const place = stepVisit(by)
    if (place) goToType(place.workspace, place.id)
  }
  useActionHandlers({
    goBack: canGo(visits, -1) ? () => step(-1) : undefined,
    goForward: canGo(visits, 1) ? () => step(1) : undefined
  })
}
