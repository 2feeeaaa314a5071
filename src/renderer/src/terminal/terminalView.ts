import type { FitAddon } from '@xterm/addon-fit'
import type { Terminal } from '@xterm/xterm'
import { isUsableSize, type Size } from '../../../shared/terminal'
import { onAppearanceChange } from '../appearance/appearance'
import { settingValues } from '../stores/settings'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { AgentCursor } from './agentCursor'
import { installBehaviour } from './behaviour'
import { CommandMarks } from './commandMarks'
import { createXterm, drawCursorBeforeFocus } from './createXterm'
import { displayText } from './displayText'
import { Finder } from './finder'
import { FlowControl } from './flowControl'
import { GpuDrawing } from './gpuDrawing'
import { noteUse } from './lastUsedTerminal'
import { ScrollMemory } from './scrollMemory'
import { type LinkState, TerminalLink } from './terminalLink'
import { openTerminalSocket } from './terminalSocket'
import { terminalOptions } from './terminalTheme'
import { terminalLines } from './textSections'

/** What the page may say about a terminal it shows. */
export interface ViewStatus {
  link: LinkState
  /** The terminal's one size, as the host announced it. */
  size: Size | undefined
  /** True when that size is another viewer's and does not fit this one. */
  sizedElsewhere: boolean
  title: string
}

export interface TerminalViewOptions {
  tmuxSession: string
  onStatus(status: ViewStatus): void
}

// Small enough that the emulator, which works in slices between chunks, never holds the page for long.
const MAX_WRITE_BYTES = 32_768
const RESIZE_SETTLE_MS = 60
const HIDE_CURSOR = '\x1b[?25l'

/**
 * One terminal on the page: an emulator, its byte line, and the rule for sizes. The host keeps one size per terminal;
 * this view asks for its own only while the person is active in it (focus, resize, typing) and otherwise shows the size
 * it is told.
 */
export class TerminalView {
  readonly finder: Finder
  readonly commands: CommandMarks
  readonly #agentCursor: AgentCursor
  readonly #xterm: Terminal
  readonly #fit: FitAddon
  readonly #link: TerminalLink
  readonly #flow: FlowControl
  readonly #gpu: GpuDrawing
  readonly #scroll: ScrollMemory
  readonly #element: HTMLElement
  readonly #tmuxSession: string
  readonly #onStatus: (status: ViewStatus) => void
  readonly #undo: (() => void)[] = []
  #status: ViewStatus = { link: 'connecting', size: undefined, sizedElsewhere: false, title: '' }
  #visible = false
  #afterParsed: (() => void)[] = []
  #isDisposed = false
  #resizeTimer: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLElement, { tmuxSession, onStatus }: TerminalViewOptions) {
    this.#element = element
    this.#tmuxSession = tmuxSession
    this.#onStatus = onStatus
    const { xterm, fit } = createXterm()
    this.#xterm = xterm
    this.#fit = fit
    this.#link = new TerminalLink({
      openSocket: (from) => openTerminalSocket(tmuxSession, from),
      wantedSize: () => (this.#isActive() ? this.#fitted() : undefined),
      onState: (link) => this.#linkChanged(link),
      onSize: (size) => this.#announced(size),
      onOutput: (bytes) => this.#write(bytes),
      onTitle: (title) => this.#update({ title: displayText(title) }),
      onDropped: () => showNotice(strings.connection.notSent)
    })
    this.#flow = new FlowControl({ pause: () => this.#link.pause(), resume: () => this.#link.resume() })
    this.finder = new Finder(xterm)
    this.commands = new CommandMarks(xterm)
    this.#agentCursor = new AgentCursor(xterm)
    this.#scroll = new ScrollMemory(xterm, tmuxSession)
    xterm.open(element)
    drawCursorBeforeFocus(xterm)
    this.#gpu = new GpuDrawing(xterm, element)
    this.#listen()
  }

  /** Shown or hidden; a shown one takes part in sizing, and connects the first time. */
  setVisible(visible: boolean): void {
    this.#visible = visible
    this.#gpu.update({ visible })
    if (!visible) return
    this.#link.connect()
    if (this.#status.link === 'ended') this.#fitEnded()
    else if (this.#isActive()) this.claimSize()
  }

  setOnline(online: boolean): void {
    if (online && !this.#visible && this.#status.link === 'connecting') return
    this.#link.setOnline(online)
    this.#xterm.options.disableStdin = !this.#link.takesInput
  }

  /** Whether an agent types here now: the cursor is the agent's then. */
  setAgentTyping(isTyping: boolean): void {
    if (this.#agentCursor.isShown === isTyping) return
    this.#agentCursor.isShown = isTyping
    this.#xterm.options.theme = this.#agentCursor.dress(terminalOptions().theme ?? {})
  }

  focus(): void {
    this.#xterm.focus()
  }

  /** Everything it holds, as plain text. */
  text(): string {
    return terminalLines(this.#xterm).join('\n')
  }

  /** What its screen shows, as plain text. */
  screenText(): string {
    const { buffer, rows } = this.#xterm
    const { active } = buffer
    const lines = Array.from({ length: rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true)
    )
    return lines.join('\n')
  }

  /** Takes away everything above the line of the cursor, in this view. */
  clear(): void {
    this.#xterm.clear()
  }

  /** Makes this view's size the terminal's. */
  claimSize(): void {
    const fitted = this.#fitted()
    if (!this.#visible || !fitted || same(fitted, this.#status.size)) return
    this.#link.resize(fitted)
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#resizeTimer)
    this.#link.close()
    for (const undo of this.#undo) undo()
    this.#gpu.stop()
    this.#xterm.dispose()
  }

  #listen(): void {
    const xterm = this.#xterm
    const typed = (data: string | Uint8Array) => {
      this.claimSize()
      this.#link.input(data)
    }
    xterm.onData(typed)
    // Old mouse reports are bytes, one per character, not text.
    xterm.onBinary((data) => typed(Uint8Array.from(data, (character) => character.charCodeAt(0))))
    const focused = () => this.claimSize()
    const observer = new ResizeObserver(() => this.#containerResized())
    observer.observe(this.#element)
    window.addEventListener('focus', focused)
    this.#element.addEventListener('focusin', focused)
    this.#undo.push(
      () => observer.disconnect(),
      () => window.removeEventListener('focus', focused),
      () => this.#element.removeEventListener('focusin', focused),
      installBehaviour(xterm, this.#element),
      this.#scroll.follow(this.#element),
      noteUse({ xterm, tmuxSession: this.#tmuxSession }, this.#element),
      onAppearanceChange(() => this.#dress())
    )
    this.#dress()
  }

  /** Looks as the settings want it; another font means another size in cells. */
  #dress(): void {
    const options = terminalOptions()
    Object.assign(this.#xterm.options, options, { theme: this.#agentCursor.dress(options.theme ?? {}) })
    this.#element.parentElement?.style.setProperty('--screen-bg', options.theme?.background ?? '')
    this.#gpu.update({ visible: this.#visible })
    this.#containerResized()
  }

  #isActive(): boolean {
    return this.#visible && document.hasFocus()
  }

  #fitted(): Size | undefined {
    const proposed = this.#fit.proposeDimensions()
    return proposed && isUsableSize(proposed) ? { cols: proposed.cols, rows: proposed.rows } : undefined
  }

  #containerResized(): void {
    clearTimeout(this.#resizeTimer)
    this.#resizeTimer = setTimeout(() => {
      if (this.#status.link === 'ended') this.#fitEnded()
      else if (this.#isActive()) this.claimSize()
      this.#update({})
      this.#showCursorLine()
    }, RESIZE_SETTLE_MS)
  }

  /** A screen that is higher than its room, as with a lost line, is shown where something happened last. */
  #showCursorLine(): void {
    const { element, buffer, rows } = this.#xterm
    const rowPixels = (element?.offsetHeight ?? 0) / rows
    this.#element.scrollTop = Math.ceil((buffer.active.cursorY + 1) * rowPixels) - this.#element.clientHeight
  }

  /** An ended program's size is nobody's concern any more: its last screen is shown so that all of it can be read. */
  #fitEnded(): void {
    const size = this.#visible ? this.#fitted() : undefined
    if (size) this.#announced(size)
  }

  #linkChanged(link: LinkState): void {
    if (link === 'connecting' || link === 'retrying') this.#flow.reconnected()
    this.#xterm.options.disableStdin = !this.#link.takesInput
    this.#update({ link })
    if (link === 'ended') {
      this.#xterm.write(HIDE_CURSOR)
      this.#fitEnded()
    }
    if (link !== 'live') return
    if (this.#isActive()) this.claimSize()
    this.#onceParsed(() => {
      this.#scroll.restore()
      this.commands.look()
    })
  }

  /** The size holds from this point of the stream on: bytes that came before it are parsed at the old one. */
  #announced(size: Size): void {
    this.#onceParsed(() => {
      this.#xterm.resize(size.cols, size.rows)
      this.#update({ size })
    })
  }

  #onceParsed(act: () => void): void {
    if (this.#flow.idle) act()
    else this.#afterParsed.push(act)
  }

  #write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += MAX_WRITE_BYTES) {
      const piece = bytes.subarray(start, start + MAX_WRITE_BYTES)
      this.#flow.given(piece.length)
      this.#xterm.write(piece, () => this.#parsed(piece.length))
    }
  }

  // What was given to a terminal before it went away is parsed all the same.
  #parsed(bytes: number): void {
    if (this.#isDisposed) return
    this.#flow.parsed(bytes)
    if (settingValues().scroll_on_output) this.#xterm.scrollToBottom()
    if (!this.#flow.idle) return
    for (const act of this.#afterParsed.splice(0)) act()
  }

  #update(change: Partial<ViewStatus>): void {
    const status = { ...this.#status, ...change }
    const fitted = this.#visible ? this.#fitted() : undefined
    status.sizedElsewhere =
      status.link === 'live' && fitted !== undefined && status.size !== undefined && !same(fitted, status.size)
    this.#status = status
    this.#onStatus(status)
  }
}

function same(left: Size, right: Size | undefined): boolean {
  return left.cols === right?.cols && left.rows === right.rows
}
