import { Menu, type MenuItemConstructorOptions } from 'electron'
import { ACTION_IDS, type ActionId, actionOf } from '../shared/actions'
import { type Keymap, keymapOf, type OwnShortcuts } from '../shared/shortcuts'
import { acceleratorOf } from './accelerator'

const IS_MAC = process.platform === 'darwin'
const SYSTEM = IS_MAC ? 'mac' : 'linux'

/**
 * Every action by mouse, with its keys beside it. Elsewhere than on macOS the keys are only shown: the page takes them, so
 * that what it leaves to programs reaches them, and the bar itself stays hidden until Alt is pressed alone.
 */
export function setupMenu(run: (id: ActionId) => void, own: OwnShortcuts = {}): void {
  const keymap = keymapOf({ system: SYSTEM, shell: 'desktop' }, own)
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(run, keymap)))
}

function menuTemplate(run: (id: ActionId) => void, keymap: Keymap): MenuItemConstructorOptions[] {
  const groups = [...new Set(ACTION_IDS.map((id) => actionOf(id).group))]
  const own = groups.map((group) => ({ label: group, submenu: itemsOf(group, run, keymap) }))
  const system: MenuItemConstructorOptions[] = IS_MAC ? [{ role: 'appMenu' }, { role: 'editMenu' }] : []
  return [...system, ...own, { role: 'windowMenu' }]
}

function itemsOf(group: string, run: (id: ActionId) => void, keymap: Keymap): MenuItemConstructorOptions[] {
  return ACTION_IDS.filter((id) => actionOf(id).group === group).map((id) => {
    const [chord] = keymap[id]
    const keys = chord === undefined ? {} : { accelerator: acceleratorOf(chord), registerAccelerator: false }
    return { id, label: actionOf(id).title, ...keys, click: () => run(id) }
  })
}
