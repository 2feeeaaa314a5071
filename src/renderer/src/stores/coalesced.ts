/** Runs one at a time; calls that come meanwhile share one further run, so the last answer is never an old one. */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = undefined
    })
    return current
  }
  return () => {
    if (!current) return start()
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
