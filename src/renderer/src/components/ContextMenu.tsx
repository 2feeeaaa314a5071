import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { closeMenu, type MenuItem, useMenu } from '../stores/menu'

const EDGE_PIXELS = 8

/** The menu at the pointer: arrows move, Enter chooses, Escape and a click elsewhere close it; the focus goes back. */
export function ContextMenu() {
  const open = useMenu((state) => state.open)
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (open && menu.current) place(menu.current, open)
  }, [open])
  useFocusInside(menu, open)
  useCloseElsewhere(menu, open !== undefined)
  if (!open) return null
  return (
    <div className="contextMenu" role="menu" aria-label={open.label} ref={menu} tabIndex={-1} onKeyDown={moveByKey}>
      {open.items.map((item) => (
        <MenuRow key={item.id ?? item.title} item={item} />
      ))}
    </div>
  )
}

function MenuRow({ item }: { item: MenuItem }) {
  const { title, mark, state, keys, isCurrent, isDisabled, beginsGroup, choose } = item
  const role = isCurrent === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isCurrent }
  const chosen = () => {
    closeMenu()
    choose()
  }
  return (
    <button
      type="button"
      {...role}
      tabIndex={-1}
      className={beginsGroup ? 'group' : undefined}
      disabled={isDisabled}
      aria-description={state}
      onClick={chosen}
      onMouseMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
    >
      {mark}
      <span>{title}</span>
      {keys !== undefined && keys !== '' && <kbd>{keys}</kbd>}
    </button>
  )
}

/** Beside the pointer, and always whole inside the window. */
function place(menu: HTMLElement, { x, y }: { x: number; y: number }): void {
  const { width, height } = menu.getBoundingClientRect()
  menu.style.left = `${Math.max(EDGE_PIXELS, Math.min(x, innerWidth - width - EDGE_PIXELS))}px`
  menu.style.top = `${Math.max(EDGE_PIXELS, Math.min(y, innerHeight - height - EDGE_PIXELS))}px`
}

function useFocusInside(menu: React.RefObject<HTMLElement | null>, open: unknown): void {
  useEffect(() => {
    if (!open) return
    const before = document.activeElement
    const focused = menu.current
    const first = focused?.querySelector<HTMLElement>('[aria-checked=true]') ?? rows(focused)[0]
    first?.focus()
    return () => {
      // What the chosen item focused keeps the focus.
      const isLost = document.activeElement === document.body || focused?.contains(document.activeElement)
      if (isLost && before instanceof HTMLElement) before.focus()
    }
  }, [menu, open])
}

function useCloseElsewhere(menu: React.RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const pressed = (event: Event) => {
      if (!(event.target instanceof Node && menu.current?.contains(event.target))) closeMenu()
    }
    window.addEventListener('pointerdown', pressed, true)
    window.addEventListener('blur', closeMenu)
    window.addEventListener('resize', closeMenu)
    return () => {
      window.removeEventListener('pointerdown', pressed, true)
      window.removeEventListener('blur', closeMenu)
      window.removeEventListener('resize', closeMenu)
    }
  }, [menu, isOpen])
}

function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const all = rows(event.currentTarget)
  const index = all.findIndex((row) => row.matches(':focus'))
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
  if (target === undefined) goToTyped(event, all)
  if (event.key === 'Escape' || event.key === 'Tab') closeMenu()
  else if (target === undefined) return
  else all.at(target % all.length)?.focus()
  event.preventDefault()
  event.stopPropagation()
}

/** Letters that are typed quickly one after another lead to the row that begins with them. */
const TYPED_TOGETHER_MS = 800
let typed = { text: '', at: 0 }

function goToTyped({ key, timeStamp, ctrlKey, altKey, metaKey }: KeyboardEvent, all: readonly HTMLElement[]): void {
  if (key.length !== 1 || ctrlKey || altKey || metaKey) return
  const isLater = timeStamp - typed.at > TYPED_TOGETHER_MS
  // A space that begins nothing chooses the row.
  if (isLater && key === ' ') return
  typed = { text: (isLater ? '' : typed.text) + key.toLowerCase(), at: timeStamp }
  all.find((row) => row.textContent.toLowerCase().startsWith(typed.text))?.focus()
}

function rows(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])]
}
