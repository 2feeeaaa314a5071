/** What a key does while a tab has the focus. */
export type StripCommand = { do: 'go'; to: number } | { do: 'move'; to: number } | { do: 'close' | 'rename' | 'leave' }

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'metaKey'>

/** Arrows, Home and End walk (round the ends); with Ctrl or Cmd and Shift the arrows move the tab itself. */
export function stripCommand(
  { key, ctrlKey, shiftKey, metaKey }: Keys,
  { index, count }: { index: number; count: number }
): StripCommand | undefined {
  const step = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
  if (step !== 0 && (ctrlKey || metaKey) && shiftKey) return { do: 'move', to: index + step }
  if (step !== 0) return { do: 'go', to: (index + step + count) % count }
  if (key === 'Home') return { do: 'go', to: 0 }
  if (key === 'End') return { do: 'go', to: count - 1 }
  if (key === 'Delete') return { do: 'close' }
  if (key === 'F2') return { do: 'rename' }
  return key === 'Enter' || key === ' ' ? { do: 'leave' } : undefined
}
