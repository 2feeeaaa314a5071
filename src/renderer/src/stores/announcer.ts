import { create } from 'zustand'

/** The sentence for screen readers about what just happened. */
export const useAnnouncement = create<{ text: string }>(() => ({ text: '' }))

/** What they interrupt everything else for. */
export const useAlarm = create<{ text: string }>(() => ({ text: '' }))

export function announce(text: string): void {
  useAnnouncement.setState({ text })
}

export function alarm(text: string): void {
  useAlarm.setState({ text })
}
