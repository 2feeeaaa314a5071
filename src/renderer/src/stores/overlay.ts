import { create } from 'zustand'

export type Overlay = 'palette' | 'switcher' | 'sessions' | 'settings' | 'text' | 'connect'

/** What lies over the page and has the keyboard, at most one thing. */
export const useOverlay = create<{ open: Overlay | undefined }>(() => ({ open: undefined }))

export function showOverlay(open: Overlay): void {
  useOverlay.setState({ open })
}

export function closeOverlay(): void {
  useOverlay.setState({ open: undefined })
}
