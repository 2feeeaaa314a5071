import { create } from 'zustand'
import { recall, remember } from './memory'

const NAME = 'activityPanel'
/** Narrower windows leave the room to the terminals: there it lies over them, when it is wanted. */
export const ROOMY = '(min-width: 1100px)'

interface PanelState {
  isHidden: boolean
  /** Over the page, on windows without room for it. */
  isSheetOpen: boolean
  /** The offer to connect an agent is not wanted here. */
  isCardDismissed: boolean
}

/** Whether the activity panel is shown in this window. */
export const usePanel = create<PanelState>(() => ({ isHidden: false, isSheetOpen: false, isCardDismissed: false }))

/** As it was at the last visit. */
export function recallPanel(): void {
  const { isHidden, isCardDismissed } = recall(NAME)
  usePanel.setState({ isHidden: isHidden === true, isCardDismissed: isCardDismissed === true })
}

export function dismissCard(): void {
  usePanel.setState({ isCardDismissed: true })
  rememberPanel()
}

export function closeSheet(): void {
  usePanel.setState({ isSheetOpen: false })
}

export function togglePanel(): void {
  const { isHidden, isSheetOpen } = usePanel.getState()
  if (matchMedia(ROOMY).matches) {
    usePanel.setState({ isHidden: !isHidden })
    rememberPanel()
  } else usePanel.setState({ isSheetOpen: !isSheetOpen })
}

function rememberPanel(): void {
  const { isHidden, isCardDismissed } = usePanel.getState()
  remember(NAME, { isHidden, isCardDismissed })
}
