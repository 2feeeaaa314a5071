import { create } from 'zustand'

/** The sentence for screen readers about what just happened. */
export const useAnnouncement = create<{ text: string }>(() => ({ text: '' }))

export function announce(text: string): void {
  useAnnouncement.setState({ text })
}
