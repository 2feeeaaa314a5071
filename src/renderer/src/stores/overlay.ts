import { create } from 'zustand'

export type Overlay = 'palette' | 'switcher' | 'sessions' | 'settings' | 'text' | 'connect'

interface OverlayState {
  open: Overlay | undefined
  /** On the page for connecting agents: the one that is wanted. */
  client: string | undefined
}

/** What lies over the page and has the keyboard, at most one thing. */
export const useOverlay = create<OverlayState>(() => ({ open: undefined, client: undefined }))

export function showOverlay(open: Overlay): void {
  useOverlay.setState({ open, client: undefined })
}

/** The page for connecting agents, at what connecting this one would do. */
export function showConnecting(client: string): void {
  useOverlay.setState({ open: 'connect', client })
}

export function closeOverlay(): void {
  useOverlay.setState({ open: undefined, client: undefined })
}
