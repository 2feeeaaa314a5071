import { settingValues } from './settings'

const STORED = 'tandem.lastScreens'
/** Of one terminal: more than the largest screen shows. */
const MAX_CHARACTERS = 40_000

const kept = new Map<string, () => string>()
const earlier = takeEarlier()
window.addEventListener('pagehide', store)

/** While it is shown, what a terminal's screen says is kept for the page that comes after this one. */
export function keepScreen(tmuxSession: string, text: () => string): () => void {
  kept.set(tmuxSession, text)
  return () => kept.delete(tmuxSession)
}

/** What the page before this one showed last of a terminal; undefined when that is not known. */
export function lastScreen(tmuxSession: string): string | undefined {
  return earlier.get(tmuxSession)
}

function store(): void {
  if (!mayStore() || kept.size === 0) return
  const screens = [...kept].map(([tmuxSession, text]) => [tmuxSession, text().slice(-MAX_CHARACTERS)])
  try {
    sessionStorage.setItem(STORED, JSON.stringify(screens))
  } catch {
    // Storage is switched off or full: the next page waits without them.
  }
}

/** A browser writes a page's storage to the disk, where output belongs only if the person wants it kept; the desktop's is in memory. */
function mayStore(): boolean {
  return window.desktop !== undefined || settingValues().persist_buffers
}

/** They lie there only from one page to the next. */
function takeEarlier(): Map<string, string> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]')
    sessionStorage.removeItem(STORED)
    return new Map(Array.isArray(stored) ? stored.filter(isScreen) : [])
  } catch {
    return new Map()
  }
}

function isScreen(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string')
}
