import type { Terminal } from '@xterm/xterm'
import type { ActionId } from '../../../shared/actions'
import { actionOf } from '../../../shared/actions'
import { keyPlace, shortcutText } from '../actions/keyPlace'
import { canRun, runAction } from '../actions/registry'
import { useLinkHint } from '../stores/linkHint'
import { type MenuItem, openMenu } from '../stores/menu'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { copyText, readClipboard } from './clipboard'
import { openLink } from './links'
import { pasteText } from './paste'
import { belongsToProgram } from './selection'
import { copySelection } from './terminalKeys'

const LATER_GROUPS: ActionId[][] = [
  ['find', 'readAsText', 'clearTerminal'],
  ['splitRight', 'splitDown', 'renameTerminal', 'closeTerminal'],
  ['palette', 'settings']
]

/** Right click: what can be done with the selection, the link under the pointer and the terminal. The selection stays. */
export function installTerminalMenu(xterm: Terminal, element: HTMLElement): () => void {
  const open = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (belongsToProgram(xterm, event) && event.button === 2) return
    const { x, y } = place(event, element)
    openMenu({ label: strings.menu.label, x, y, items: [...linkItems(), ...clipboardItems(xterm), ...actionItems()] })
  }
  element.addEventListener('contextmenu', open, true)
  return () => element.removeEventListener('contextmenu', open, true)
}

/** The menu key opens it too, and knows no pointer. */
function place({ clientX, clientY, button }: MouseEvent, element: HTMLElement): { x: number; y: number } {
  if (button === 2 || clientX !== 0 || clientY !== 0) return { x: clientX, y: clientY }
  const { left, top } = element.getBoundingClientRect()
  return { x: left, y: top }
}

function linkItems(): MenuItem[] {
  const { address } = useLinkHint.getState()
  if (address === undefined) return []
  return [
    { title: strings.menu.openLink, choose: () => void openLink(address) },
    { title: strings.menu.copyLink, choose: () => void copyText(address) }
  ]
}

function clipboardItems(xterm: Terminal): MenuItem[] {
  const isMac = keyPlace().system === 'mac'
  return [
    {
      title: strings.menu.copy,
      keys: isMac ? '⌘C' : 'Ctrl+Shift+C',
      isDisabled: !xterm.hasSelection(),
      beginsGroup: true,
      choose: () => void copySelection(xterm)
    },
    { title: strings.menu.paste, keys: isMac ? '⌘V' : 'Ctrl+Shift+V', choose: () => void pasteClipboard(xterm) },
    { title: strings.menu.selectAll, choose: () => xterm.selectAll() }
  ]
}

function actionItems(): MenuItem[] {
  return LATER_GROUPS.flatMap((ids) =>
    ids.filter(canRun).map((id, index) => ({
      title: actionOf(id).title,
      keys: shortcutText(id),
      beginsGroup: index === 0,
      choose: () => void runAction(id)
    }))
  )
}

async function pasteClipboard(xterm: Terminal): Promise<void> {
  const text = await readClipboard()
  if (text === undefined) showNotice(strings.clipboard.notReadable)
  else await pasteText(xterm, text)
}
