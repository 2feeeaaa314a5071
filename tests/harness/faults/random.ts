/** Numbers that come again with the same seed. */
export interface Random {
  /** From 0 up to, and without, `limit`. */
  below(limit: number): number
  between(low: number, high: number): number
  pick<T>(among: readonly [T, ...T[]] | readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
  bytes(length: number): Buffer
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: small, fast and good enough to choose moments.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(among: readonly T[]): T => {
    if (among.length === 0) throw new RangeError('nothing to pick from')
    // The index is inside the list.
    return among[below(among.length)] as T
  }
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    pick,
    shuffled: (list) => {
      const left = [...list]
      return list.flatMap(() => left.splice(below(left.length), 1))
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256)))
  }
}
