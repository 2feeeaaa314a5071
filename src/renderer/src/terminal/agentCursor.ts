import type { ITheme, Terminal } from '@xterm/xterm'

/** The part of the emulator that its typings do not show; the package is pinned to one version for this. */
interface Core {
  coreService: { isCursorHidden: boolean }
}

/**
 * The cursor while an agent types: a hollow block in the agent's colour. The emulator draws hollow cursors only in
 * terminals without the keyboard, so its own is hidden and this one lies in its place.
 */
export class AgentCursor {
  readonly #xterm: Terminal
  readonly #element = document.createElement('div')
  #isShown = false

  constructor(xterm: Terminal) {
    this.#xterm = xterm
    this.#element.className = 'agentCursor'
    this.#element.hidden = true
    for (const moved of [xterm.onCursorMove, xterm.onRender, xterm.onScroll]) moved(() => this.#place())
  }

  get isShown(): boolean {
    return this.#isShown
  }

  set isShown(isShown: boolean) {
    this.#isShown = isShown
    this.#place()
  }

  /** The theme with the emulator's own cursor out of sight, while this one is there. */
  dress(theme: ITheme): ITheme {
    if (!this.#isShown) return theme
    // An emulator's theme has all its parts; none of these is ever absent.
    return { ...theme, cursor: theme.background ?? '', cursorAccent: theme.foreground ?? '' }
  }

  #place(): void {
    if (!this.#isShown && this.#element.hidden) return
    const screen = this.#xterm.element?.querySelector<HTMLElement>('.xterm-screen')
    if (!screen) return
    if (!this.#element.isConnected) screen.append(this.#element)
    const { cursorX, cursorY, baseY, viewportY } = this.#xterm.buffer.active
    const { cols, rows } = this.#xterm
    const row = baseY + cursorY - viewportY
    this.#element.hidden = !this.#isShown || row >= rows || this.#isHiddenByProgram
    if (this.#element.hidden) return
    const width = screen.clientWidth / cols
    const height = screen.clientHeight / rows
    Object.assign(this.#element.style, {
      left: `${Math.min(cursorX, cols - 1) * width}px`,
      top: `${row * height}px`,
      width: `${width}px`,
      height: `${height}px`
    })
  }

  get #isHiddenByProgram(): boolean {
    // Every terminal wraps the core that holds this member; addons reach it the same way.
    return (this.#xterm as unknown as { _core: Core })._core.coreService.isCursorHidden
  }
}
