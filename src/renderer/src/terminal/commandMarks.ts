import type { IDecoration, IMarker, Terminal } from '@xterm/xterm'
import type { CommandRecord } from '../../../shared/terminal'
import { type EndMark, endOf } from '../agents/historyText'
import { STATE_DRAWINGS } from '../appearance/stateDrawings'
import { announce } from '../stores/announcer'
import { strings } from '../strings'
import { findCommands, wholeLines } from './commandLines'
import { displayText } from './displayText'

/** Whoever typed a command, as the margin shows it. */
export interface CommandAuthor {
  title: string
  letter: string
  hue: number
}

interface Mark {
  record: CommandRecord
  marker: IMarker
  decoration: IDecoration | undefined
}

type AuthorOf = (name: string) => CommandAuthor

const SVG = 'http://www.w3.org/2000/svg'
// More would be drawn at every scroll for nothing: who looks further back reads the text.
const MAX_MARKS = 100
const SHOWN_MS = 1200

/** Marks the lines on which commands were typed: how each ended, and which agent typed it. */
export class CommandMarks {
  readonly #xterm: Terminal
  #marks: Mark[] = []
  #records: readonly CommandRecord[] = []
  #authorOf: AuthorOf | undefined

  constructor(xterm: Terminal) {
    this.#xterm = xterm
  }

  put(records: readonly CommandRecord[], authorOf: AuthorOf): void {
    this.#records = records
    this.#authorOf = authorOf
    this.look()
  }

  /** Looks for commands that have no mark yet; also after the screen was drawn anew. */
  look(): void {
    if (this.#xterm.buffer.active.type === 'alternate') return
    this.#marks = this.#marks.filter(({ marker }) => !marker.isDisposed)
    for (const mark of this.#marks) this.#renew(mark)
    const last = this.#marks.at(-1)
    const index = last ? this.#records.findIndex(({ id }) => id === last.record.id) : -1
    const missing = this.#records.slice(Math.max(index + 1, this.#records.length - MAX_MARKS))
    if (missing.length === 0) return
    const lines = wholeLines(this.#xterm, last ? last.marker.line + 1 : 0)
    for (const { record, row } of findCommands(lines, missing)) this.#add(record, row)
    for (const { decoration, marker } of this.#marks.splice(0, this.#marks.length - MAX_MARKS)) {
      decoration?.dispose()
      marker.dispose()
    }
  }

  /** Scrolls to the command before or after the one at the top of the screen. */
  jump(direction: 'previous' | 'next'): void {
    const top = this.#xterm.buffer.active.viewportY
    const marks = this.#marks.filter(({ marker }) => !marker.isDisposed)
    const target =
      direction === 'previous'
        ? (marks.findLast(({ marker }) => marker.line < top) ?? marks[0])
        : marks.find(({ marker }) => marker.line > top)
    if (target) this.#show(target)
    else this.#xterm.scrollToBottom()
  }

  /** Scrolls to a command; false while it has no mark. */
  reveal(id: string): boolean {
    const target = this.#marks.find(({ record, marker }) => record.id === id && !marker.isDisposed)
    if (target) this.#show(target)
    return target !== undefined
  }

  #show({ record, marker, decoration }: Mark): void {
    this.#xterm.scrollToLine(marker.line)
    announce(strings.commandMark(displayText(record.command), endOf(record).words))
    decoration?.element?.classList.add('shown')
    setTimeout(() => decoration?.element?.classList.remove('shown'), SHOWN_MS)
  }

  #add(record: CommandRecord, row: number): void {
    const { baseY, cursorY } = this.#xterm.buffer.active
    const marker = this.#xterm.registerMarker(row - baseY - cursorY)
    const decoration = this.#xterm.registerDecoration({ marker, layer: 'top' })
    const mark = { record, marker, decoration }
    decoration?.onRender((element) => {
      if (element.childElementCount === 0) this.#draw(element, mark.record)
    })
    this.#marks.push(mark)
  }

  /** A command that ran when it was marked may have ended. */
  #renew(mark: Mark): void {
    const now = this.#records.find(({ id }) => id === mark.record.id)
    if (!now || now.running === mark.record.running) return
    mark.record = now
    if (mark.decoration?.element) this.#draw(mark.decoration.element, now)
  }

  #draw(element: HTMLElement, record: CommandRecord): void {
    const { mark, words } = endOf(record)
    const dot = document.createElement('span')
    dot.className = 'commandEnd'
    dot.title = words
    dot.append(drawing(mark))
    element.classList.add('commandMark')
    element.setAttribute('aria-hidden', 'true')
    element.replaceChildren(dot, ...this.#authorMark(record))
  }

  #authorMark({ actor }: CommandRecord): HTMLElement[] {
    if (actor?.kind !== 'agent' || !this.#authorOf) return []
    const { title, letter, hue } = this.#authorOf(actor.name)
    const author = document.createElement('span')
    author.className = `commandAuthor hue${hue}`
    author.textContent = letter
    author.title = strings.typedBy(displayText(title))
    return [author]
  }
}

function drawing(mark: EndMark): SVGElement {
  const picture = document.createElementNS(SVG, 'svg')
  picture.setAttribute('class', `stateMark ${mark}`)
  picture.setAttribute('viewBox', '0 0 12 12')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', STATE_DRAWINGS[mark === 'done' ? 'news' : mark])
  picture.append(path)
  return picture
}
