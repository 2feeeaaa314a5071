const OPENABLE = new Set(['http:', 'https:'])

/** The address if it may be opened from a terminal, else undefined: printed text must not start other programs. */
export function openableAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return OPENABLE.has(url.protocol) ? url.href : undefined
}

/** Opens a link only when the person asked for it with Ctrl or Cmd held; the new page learns nothing about this one. */
export function followLink(event: MouseEvent, text: string, onRefused: (text: string) => void): void {
  if (!event.ctrlKey && !event.metaKey) return
  const address = openableAddress(text)
  if (address === undefined) onRefused(text)
  else window.open(address, '_blank', 'noopener,noreferrer')
}
