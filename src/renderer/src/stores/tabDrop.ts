import { create } from 'zustand'

/** The session that a dragged tab hangs over, for the row that shows it; by its workspace's id. */
export const useTabDrop = create<{ over: string | undefined }>(() => ({ over: undefined }))
