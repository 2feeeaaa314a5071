import { create } from 'zustand'
import type { WireError } from '../../../shared/errors'

export interface Toast {
  id: number
  message: string
  hint: string | undefined
  /** Undefined for a notice that is not an error. */
  code: string | undefined
}

// More would cover the terminal; the oldest make room.
const MAX_SHOWN = 4
let lastId = 0

/** What went wrong and what to do about it; errors stay until dismissed. */
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

export function showError({ code, message, hint }: WireError): void {
  add({ message, hint, code })
}

export function showNotice(message: string): void {
  add({ message, hint: undefined, code: undefined })
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

function add(toast: Omit<Toast, 'id'>): void {
  useToasts.setState(({ toasts }) => {
    const others = toasts.filter(({ message, hint }) => message !== toast.message || hint !== toast.hint)
    lastId += 1
    return { toasts: [...others, { ...toast, id: lastId }].slice(-MAX_SHOWN) }
  })
}
