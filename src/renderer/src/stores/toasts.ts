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
let lastId = 0

/** What went wrong and what to do about it; errors stay until dismissed. */
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

export function showError({ code, message, hint }: WireError, action?: ToastAction): void {
  add({ message, hint, code, action })
}

export function showNotice(message: string): void {
  add({ message, hint: undefined, code: undefined, action: undefined })
}

/** A message that is over by itself: it is soon old, or what it offers can be done only so long. */
export function showPassing(message: string, { action, forMs }: { action?: ToastAction; forMs: number }): void {
  const id = add({ message, hint: undefined, code: undefined, action })
  setTimeout(() => dismissToast(id), forMs)
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
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

/** A message that is no error and stays until it is dismissed. */
export function showLasting(message: string, { hint, action }: { hint: string; action: ToastAction }): void {
  add({ message, hint, code: undefined, action })
}
