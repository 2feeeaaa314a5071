import { create } from 'zustand'

/** The dialogs that lie over the page, the topmost last: what is not inside that one can be neither seen well nor used. */
export const useModals = create<{ open: HTMLDialogElement[] }>(() => ({ open: [] }))

export function noteModal(dialog: HTMLDialogElement): () => void {
  useModals.setState(({ open }) => ({ open: [...open, dialog] }))
  return () => useModals.setState(({ open }) => ({ open: open.filter((other) => other !== dialog) }))
}
