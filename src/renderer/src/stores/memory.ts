import type { Bridge } from '../../../shared/ipc'
import { showError } from './toasts'

// What windows find again at their next visit, kept by the host: conveniences only, so anything unreadable counts as
// nothing remembered.
const kept = new Map<string, string>()
let host: Bridge | undefined

/** Asks the host what was remembered; from then on everything here is at hand. */
export async function openMemory(bridge: Bridge): Promise<void> {
  const recalled = await bridge.recallWindow()
  if (!recalled.ok) return showError(recalled.error)
  host = bridge
  for (const [name, text] of Object.entries(recalled.value)) if (!kept.has(name)) kept.set(name, text)
}

export function recall(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(kept.get(name) ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

export function remember(name: string, value: object): void {
  const text = JSON.stringify(value)
  if (kept.get(name) === text) return
  kept.set(name, text)
  // A host that is away keeps what it had: the next visit begins there.
  void host?.rememberWindow(name, text)
}
