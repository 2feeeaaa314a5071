import { create } from 'zustand'
import { recall, remember } from './memory'

export const SIDEBAR_WIDTH = { rail: 48, min: 180, usual: 220, max: 320 }
/** An edge that is dragged further than this wants the rail. */
const RAIL_BELOW_PX = 120
/** There it lies over the page, when it is wanted. */
export const NARROW = '(max-width: 799px)'
const NAME = 'sidebar'

interface SidebarState {
  width: number
  /** Only as wide as its marks. */
  isRail: boolean
  /** Projects whose sessions are folded away. */
  folded: string[]
  /** Sessions, besides the one that is looked at, whose terminals are listed. */
  unfolded: string[]
  /** Over the page, on narrow ones. */
  isDrawerOpen: boolean
  form: 'folder' | 'session' | undefined
  /** How often a form was asked for: the keyboard goes there each time. */
  formWishes: number
}

const usual: SidebarState = {
  width: SIDEBAR_WIDTH.usual,
  isRail: false,
  folded: [],
  unfolded: [],
  isDrawerOpen: false,
  form: undefined,
  formWishes: 0
}

/** How the sidebar is arranged in this window. */
export const useSidebar = create<SidebarState>(() => usual)

/** As it was at the last visit. */
export function recallSidebar(): void {
  const { width, isRail, folded, unfolded } = recall(NAME)
  useSidebar.setState({
    width: within(typeof width === 'number' ? width : SIDEBAR_WIDTH.usual),
    isRail: isRail === true,
    folded: texts(folded),
    unfolded: texts(unfolded)
  })
}

export function changeSidebar(change: Partial<SidebarState>): void {
  const state = { ...useSidebar.getState(), ...change }
  const next = { ...state, width: within(state.width) }
  useSidebar.setState(next)
  const { width, isRail, folded, unfolded } = next
  remember(NAME, { width, isRail, folded, unfolded })
}

/** Of the session that is looked at the terminals are listed, unless that is not wanted; of others if it is. */
export function isUnfolded({ folded, unfolded }: SidebarState, session: string, isChosen: boolean): boolean {
  return !folded.includes(session) && (isChosen || unfolded.includes(session))
}

export function toggleSession(session: string, isOpen: boolean): void {
  const { folded, unfolded } = useSidebar.getState()
  const without = (list: string[]) => list.filter((other) => other !== session)
  changeSidebar(
    isOpen
      ? { folded: [...without(folded), session], unfolded: without(unfolded) }
      : { folded: without(folded), unfolded: [...without(unfolded), session] }
  )
}

/** The edge was moved there. */
export function dragSidebar(width: number): void {
  changeSidebar(width < RAIL_BELOW_PX ? { isRail: true } : { width, isRail: false })
}

/** As wide as it is drawn. */
export function drawnWidth({ isRail, width }: Pick<SidebarState, 'isRail' | 'width'>): number {
  return isRail ? SIDEBAR_WIDTH.rail : width
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}

function within(width: number): number {
  return Math.round(Math.max(SIDEBAR_WIDTH.min, Math.min(width, SIDEBAR_WIDTH.max)))
}
