import { openableAddress } from '../../../shared/openableAddress'

/** Opens a link only when the person asked for it with Ctrl or Cmd held; the new page learns nothing about this one. */
export function followLink(event: MouseEvent, text: string, onRefused: (text: string) => void): void {
  if (!event.ctrlKey && !event.metaKey) return
  const address = openableAddress(text)
  if (address === undefined) onRefused(text)
  else window.open(address, '_blank', 'noopener,noreferrer')
}
