import { create } from 'zustand'
import { recall, remember } from './memory'

const NAME = 'activityPanel'
/** Narrower windows leave the room to the terminals: there it lies over them, when it is wanted. */
export const ROOMY = '(min-width: 1100px)'

interface PanelState {
  isHidden: boolean
  /** Over the page, on windows without room for it. */
  isSheetOpen: boolean
}

/** Whether the activity panel is shown in this window. */
export const usePanel = create<PanelState>(() => ({ isHidden: false, isSheetOpen: false }))

/** As it was at the last visit. */
export function recallPanel(): void {
  usePanel.setState({ isHidden: recall(NAME).isHidden === true })
}

export function togglePanel(): void {
  const { isHidden, isSheetOpen } = usePanel.getState()
  if (matchMedia(ROOMY).matches) {
    usePanel.setState({ isHidden: !isHidden })
    remember(NAME, { isHidden: !isHidden })
  } else usePanel.setState({ isSheetOpen: !isSheetOpen })
}
