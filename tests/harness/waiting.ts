/** Waits until something holds; the limit is for broken code, not for slow machines. */
export async function until<T>(
  look: () => T | Promise<T>,
  { what = 'the condition', limitMs = 30_000 }: { what?: string | (() => string); limitMs?: number } = {}
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    if (Date.now() > end)
      throw new Error(`waited ${limitMs} ms in vain for ${typeof what === 'string' ? what : what()}`)
    await pause(20)
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
