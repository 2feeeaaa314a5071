import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { IMarker, Terminal } from '@xterm/xterm'

export interface FindOptions {
  isRegex: boolean
  isCaseSensitive: boolean
}

export interface FindResult {
  /** Which match is marked, from 1; 0 when none is. */
  position: number
  count: number
}

interface Place {
  line: IMarker
  column: number
  length: number
}

/** Finds text in what a terminal still holds, and marks every match, in the scroll bar too. */
export class Finder {
  readonly #addon = new SearchAddon({ highlightLimit: 2000 })
  readonly #xterm: Terminal
  #lastKind = ''
  /** Of the marked match: xterm drops its selection when the number of rows changes, and when somebody types. */
  #place: Place | undefined

  constructor(xterm: Terminal) {
    this.#xterm = xterm
    xterm.loadAddon(this.#addon)
    this.#addon.onDidChangeResults(() => this.#keepPlace())
    xterm.onResize(() => this.#returnToPlace())
    xterm.onWriteParsed(() => this.#returnToPlace())
  }

  onResult(listener: (result: FindResult) => void): () => void {
    const listening = this.#addon.onDidChangeResults(({ resultIndex, resultCount }) =>
      listener({ position: resultIndex + 1, count: resultCount })
    )
    return () => listening.dispose()
  }

  /** `false` when the pattern is not a regular expression. */
  find(text: string, options: FindOptions & { backwards?: boolean; isTyping?: boolean }): boolean {
    if (text === '') {
      this.clear()
      return true
    }
    if (options.isRegex && !compiles(text)) return false
    this.#returnToPlace()
    // The addon itself does not notice that only the options changed.
    const kind = JSON.stringify([options.isRegex, options.isCaseSensitive])
    if (kind !== this.#lastKind) this.#addon.clearDecorations()
    this.#lastKind = kind
    const asked: ISearchOptions = {
      regex: options.isRegex,
      caseSensitive: options.isCaseSensitive,
      decorations: this.#colours()
    }
    if (options.backwards) this.#addon.findPrevious(text, asked)
    else this.#addon.findNext(text, { ...asked, incremental: options.isTyping === true })
    return true
  }

  clear(): void {
    this.#forgetPlace()
    this.#addon.clearDecorations()
    this.#xterm.clearSelection()
  }

  #keepPlace(): void {
    this.#forgetPlace()
    const selected = this.#xterm.getSelectionPosition()
    if (!selected) return
    const { start, end } = selected
    const { baseY, cursorY } = this.#xterm.buffer.active
    const line = this.#xterm.registerMarker(start.y - baseY - cursorY)
    this.#place = { line, column: start.x, length: (end.y - start.y) * this.#xterm.cols + end.x - start.x }
  }

  /** Else the walk would begin again at the first match, or jump to the last. */
  #returnToPlace(): void {
    if (!this.#place || this.#place.line.isDisposed || this.#xterm.hasSelection()) return
    this.#xterm.select(this.#place.column, this.#place.line.line, this.#place.length)
  }

  #forgetPlace(): void {
    this.#place?.line.dispose()
    this.#place = undefined
  }

  #colours(): NonNullable<ISearchOptions['decorations']> {
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    return {
      matchBackground: colour('--find-match'),
      matchOverviewRuler: colour('--needs-you'),
      activeMatchBackground: colour('--find-active'),
      activeMatchColorOverviewRuler: colour('--accent')
    }
  }
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}
