export type EndReason = 'revoked' | 'goingAway'

/** Everything that stays open beyond one answer, by the token that opened it, so that it can be ended with it. */
export class OpenConnections {
  readonly #byToken = new Map<string, Set<(reason: EndReason) => void>>()

  /** Returns how to forget the connection once it has closed by itself. */
  track(tokenName: string, end: (reason: EndReason) => void): () => void {
    const ends = this.#byToken.get(tokenName) ?? new Set()
    this.#byToken.set(tokenName, ends.add(end))
    return () => {
      ends.delete(end)
      if (ends.size === 0 && this.#byToken.get(tokenName) === ends) this.#byToken.delete(tokenName)
    }
  }

  endOf(tokenName: string): void {
    for (const end of [...(this.#byToken.get(tokenName) ?? [])]) end('revoked')
  }

  endAll(): void {
    for (const ends of [...this.#byToken.values()]) for (const end of [...ends]) end('goingAway')
  }
}
