import { create } from 'zustand'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { workspaceId } from './workspaceId'

export interface Visit {
  workspace: WorkspaceKey
  id: TerminalId
}

interface Visits {
  places: Visit[]
  /** Which of them the person is at. */
  at: number
}

const MAX_PLACES = 50

/** The terminals that were looked at, one after the other, to go back and forth between. */
export const useVisits = create<Visits>(() => ({ places: [], at: -1 }))

/** The person is there now; what lay ahead of the place they came from is forgotten, as in a browser. */
export function visited({ workspace, id }: Visit): void {
  const { places, at } = useVisits.getState()
  const here = places[at]
  if (here && here.id === id && workspaceId(here.workspace) === workspaceId(workspace)) return
  const next = [...places.slice(0, at + 1), { workspace, id }].slice(-MAX_PLACES)
  useVisits.setState({ places: next, at: next.length - 1 })
}

export function canGo({ places, at }: Visits, step: -1 | 1): boolean {
  return places[at + step] !== undefined
}

/** The place before or after, which becomes the present one. */
export function stepVisit(step: -1 | 1): Visit | undefined {
  const { places, at } = useVisits.getState()
  const next = places[at + step]
  if (next) useVisits.setState({ at: at + step })
  return next
}
