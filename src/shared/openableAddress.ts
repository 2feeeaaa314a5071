const OPENABLE_PROTOCOLS = new Set(['http:', 'https:'])

/**
 * The address if it may be opened from a terminal, else undefined: printed text must not be able to start other
 * programs through `file:`, `vscode:` and the like. The page asks before it opens a link, and the shell asks again.
 */
export function openableAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return OPENABLE_PROTOCOLS.has(url.protocol) ? url.href : undefined
}
