/** Numbers the states of a screen: a reader who knows one of them is told the rows that have changed since. */
export class RowRevisions {
  readonly #first: number
  #revision: number
  #rows: { text: string; revision: number }[] = []

  /** `first`: greater than any number given out before, so that one of an earlier life is never taken for ours. */
  constructor(first: number) {
    this.#first = first
    this.#revision = first
  }

  /** The number of the screen that shows `rows`. */
  look(rows: readonly string[]): number {
    const isResized = rows.length !== this.#rows.length
    if (!isResized && rows.every((text, row) => text === this.#rows[row]?.text)) return this.#revision
    const revision = ++this.#revision
    const before = this.#rows
    this.#rows = rows.map((text, row) => {
      const known = isResized ? undefined : before[row]
      return known && known.text === text ? known : { text, revision }
    })
    return revision
  }

  /** The rows, from 1, that differ from the screen with this number; all of them when that is not known. */
  since(revision: number): { row: number; text: string }[] {
    const isKnown = revision > this.#first && revision <= this.#revision
    return this.#rows.flatMap(({ text, revision: changed }, index) =>
      isKnown && changed <= revision ? [] : [{ row: index + 1, text }]
    )
  }
}
