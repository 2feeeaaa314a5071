import type { Watching } from './watching'

const LOOK_MS = 50
/** A cell that has changed so often is a spinner or a clock. */
const SPINS = 3
/** More cells than this in a row are a new text, not something that spins. */
const MAX_SPINNING_CELLS = 16

/** Holds when the screen has not changed for `settledMs`, apart from cells that only spin. */
export function watchSettled({ terminal, fire, onClose }: Watching, settledMs: number): void {
  const stillness = new Stillness(terminal.screen.text(), terminal.screen.historyRows)
  const settled = setTimeout(() => fire('idle'), settledMs)
  let looking: NodeJS.Timeout | undefined
  const look = () => {
    looking = undefined
    if (stillness.hasChanged(terminal.screen.text(), terminal.screen.historyRows)) settled.refresh()
  }
  onClose(
    terminal.onOutput(() => {
      looking ??= setTimeout(look, Math.min(LOOK_MS, Math.ceil(settledMs / 4)))
    })
  )
  onClose(() => {
    clearTimeout(settled)
    clearTimeout(looking)
  })
}

/** Tells text that changes from cells that change again and again. */
export class Stillness {
  readonly #changes = new Map<string, number>()
  #rows: readonly string[]
  #history: number

  constructor(rows: readonly string[], history: number) {
    this.#rows = rows
    this.#history = history
  }

  /** Whether anything but a spinning cell differs from the last look. */
  hasChanged(rows: readonly string[], history: number): boolean {
    const before = this.#rows
    const hasScrolled = history !== this.#history || rows.length !== before.length
    this.#rows = rows
    this.#history = history
    if (hasScrolled) {
      this.#changes.clear()
      return true
    }
    const changed = rows.map((text, row) => this.#rowChanged(row, before[row] ?? '', text))
    return changed.includes(true)
  }

  #rowChanged(row: number, before: string, text: string): boolean {
    if (before === text) return false
    const cells = differing(before, text)
    let isNews = cells.length > MAX_SPINNING_CELLS
    for (const column of cells) {
      const cell = `${row},${column}`
      const changes = (this.#changes.get(cell) ?? 0) + 1
      this.#changes.set(cell, changes)
      if (changes < SPINS) isNews = true
    }
    return isNews
  }
}

function differing(before: string, text: string): number[] {
  const columns: number[] = []
  for (let column = 0; column < Math.max(before.length, text.length); column++) {
    if ((before[column] ?? ' ') !== (text[column] ?? ' ')) columns.push(column)
  }
  return columns
}
