import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'

export interface FindOptions {
  isRegex: boolean
  isCaseSensitive: boolean
}

export interface FindResult {
  /** Which match is marked, from 1; 0 when none is. */
  position: number
  count: number
}

/** Finds text in what a terminal still holds, and marks every match, in the scroll bar too. */
export class Finder {
  readonly #addon = new SearchAddon({ highlightLimit: 2000 })
  readonly #xterm: Terminal
  #lastKind = ''

  constructor(xterm: Terminal) {
    this.#xterm = xterm
    xterm.loadAddon(this.#addon)
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
    this.#addon.clearDecorations()
    this.#xterm.clearSelection()
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
