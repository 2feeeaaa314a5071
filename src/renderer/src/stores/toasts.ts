import { create } from 'zustand'
import type { WireError } from '../../../shared/errors'

/** The one thing that can be done about a message. */
export interface ToastAction {
  label: string
  run(): void
}

export interface Toast {
  id: number
  message: string
  hint: string | undefined
  /** Undefined for a notice that is not an error. */
  code: string | undefined
  action: ToastAction | undefined
}

// More would cover the terminal; the oldest make room.
const MAX_SHOWN = 4
// Time to notice a message, and to read it slowly.
const READ_MS = 5_000
const READ_MS_PER_CHARACTER = 60
let lastId = 0

/** What went wrong and what to do about it; errors stay until dismissed. */
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

export function showError({ code, message, hint }: WireError, action?: ToastAction): void {
  add({ message, hint, code, action })
}

/** Something to know now, over when it has been read. */
export function showNotice(message: string): void {
  passAfter(showLasting(message), READ_MS + message.length * READ_MS_PER_CHARACTER)
}

/** Something that stays true until the person has seen to it. */
export function showLasting(message: string, { hint, action }: { hint?: string; action?: ToastAction } = {}): number {
  return add({ message, hint, code: undefined, action })
}

/** A message that is over by itself: it is soon old, or what it offers can be done only so long. */
export function showPassing(message: string, { action, forMs }: { action?: ToastAction; forMs: number }): number {
  const id = add({ message, hint: undefined, code: undefined, action })
  setTimeout(() => dismissToast(id), forMs)
  return id
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

/** What it says is no longer so. */
export function withdrawMessage(message: string): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.message !== message) }))
}

/** One that the pointer or the keyboard is at is being read. */
function passAfter(id: number, waitMs: number): void {
  setTimeout(() => {
    if (document.querySelector('.toasts:is(:hover, :focus-within)')) passAfter(id, READ_MS)
    else dismissToast(id)
  }, waitMs)
}

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1
  const id = lastId
  useToasts.setState(({ toasts }) => {
    const others = toasts.filter(({ message, hint }) => message !== toast.message || hint !== toast.hint)
    return { toasts: [...others, { ...toast, id }].slice(-MAX_SHOWN) }
  })
  return id
}
