import { create } from 'zustand'
import { recall, remember } from './memory'

export const SIDEBAR_WIDTH = { min: 180, usual: 220, max: 320 }
const NAME = 'sidebar'

interface SidebarState {
  width: number
  isHidden: boolean
  /** Projects whose sessions are folded away. */
  folded: string[]
  /** Over the page, on narrow ones. */
  isDrawerOpen: boolean
  form: 'folder' | 'session' | undefined
}

const usual: SidebarState = {
  width: SIDEBAR_WIDTH.usual,
  isHidden: false,
  folded: [],
  isDrawerOpen: false,
  form: undefined
}

/** How the sidebar is arranged in this window. */
export const useSidebar = create<SidebarState>(() => usual)

/** As it was at the last visit. */
export function recallSidebar(): void {
  const { width, isHidden, folded } = recall(NAME)
  useSidebar.setState({
    width: within(typeof width === 'number' ? width : SIDEBAR_WIDTH.usual),
    isHidden: isHidden === true,
    folded: Array.isArray(folded) ? folded.filter((project) => typeof project === 'string') : []
  })
}

export function changeSidebar(change: Partial<SidebarState>): void {
  const state = { ...useSidebar.getState(), ...change }
  const next = { ...state, width: within(state.width) }
  useSidebar.setState(next)
  remember(NAME, { width: next.width, isHidden: next.isHidden, folded: next.folded })
}

function within(width: number): number {
  return Math.round(Math.max(SIDEBAR_WIDTH.min, Math.min(width, SIDEBAR_WIDTH.max)))
}
