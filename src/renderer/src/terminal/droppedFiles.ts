import type { Terminal } from '@xterm/xterm'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { pasteText } from './paste'

// Characters that mean nothing to a shell.
const PLAIN_PATH = /^[A-Za-z0-9_./:@%+,=-]+$/
const CONTROL = /\p{Cc}/u

/** A path as one word of a shell's line. */
export function quotedPath(path: string): string {
  if (PLAIN_PATH.test(path)) return path
  if (!CONTROL.test(path)) return `'${path.replaceAll("'", `'\\''`)}'`
  // A line break in a name must not become Enter.
  const escaped = path.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(new RegExp(CONTROL, 'gu'), octal)
  return `$'${escaped}'`
}

/** Files dropped on a terminal are typed as their quoted paths, dropped text as text. */
export function installDrop(xterm: Terminal, element: HTMLElement): () => void {
  const over = (event: DragEvent) => {
    if (isDrop(event)) event.preventDefault()
  }
  const drop = (event: DragEvent) => {
    if (!isDrop(event)) return
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return void pasteText(xterm, event.dataTransfer?.getData('text/plain') ?? '')
    const { desktop } = window
    if (!desktop) return showNotice(strings.dropNeedsDesktop)
    const paths = files.map((file) => desktop.pathOf(file)).filter((path) => path !== '')
    if (paths.length > 0) void pasteText(xterm, `${paths.map(quotedPath).join(' ')} `)
  }
  element.addEventListener('dragover', over)
  element.addEventListener('drop', drop)
  return () => {
    element.removeEventListener('dragover', over)
    element.removeEventListener('drop', drop)
  }
}

/** Dragged tabs are the page's own affair. */
function isDrop({ dataTransfer }: DragEvent): boolean {
  return ['Files', 'text/plain'].some((type) => dataTransfer?.types.includes(type))
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
}
