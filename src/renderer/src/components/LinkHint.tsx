import { useLayoutEffect, useRef } from 'react'
import { useLinkHint } from '../stores/linkHint'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

const BELOW_POINTER_PIXELS = 18
const EDGE_PIXELS = 8

/** Says where the link under the pointer leads, whatever its text pretends. */
export function LinkHint() {
  const { address, x, y } = useLinkHint()
  const hint = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!hint.current) return
    const { width, height } = hint.current.getBoundingClientRect()
    const left = Math.min(x, innerWidth - width - EDGE_PIXELS)
    const below = y + BELOW_POINTER_PIXELS
    const top = below + height > innerHeight - EDGE_PIXELS ? y - height - EDGE_PIXELS : below
    hint.current.style.left = `${Math.max(EDGE_PIXELS, left)}px`
    hint.current.style.top = `${top}px`
  })
  if (address === undefined) return null
  return (
    <div className="linkHint" role="tooltip" ref={hint}>
      <span>{displayText(address)}</span>
      <small>{strings.link.hint(navigator.platform.startsWith('Mac'))}</small>
    </div>
  )
}
