import { Menu, type MenuItemConstructorOptions } from 'electron'
import { ACTION_IDS, type ActionId, actionOf, keysOf } from '../shared/actions'
import { acceleratorOf } from './accelerator'

const IS_MAC = process.platform === 'darwin'
const SYSTEM = IS_MAC ? 'mac' : 'linux'

/**
 * Every action by mouse, with its keys beside it. Elsewhere than on macOS the keys are only shown: the page takes them, so
 * that what it leaves to programs reaches them, and the bar itself stays hidden until Alt is pressed alone.
 */
export function setupMenu(run: (id: ActionId) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(run)))
}

export function menuTemplate(run: (id: ActionId) => void): MenuItemConstructorOptions[] {
  const groups = [...new Set(ACTION_IDS.map((id) => actionOf(id).group))]
  const own = groups.map((group) => ({ label: group, submenu: itemsOf(group, run) }))
  const system: MenuItemConstructorOptions[] = IS_MAC ? [{ role: 'appMenu' }, { role: 'editMenu' }] : []
  return [...system, ...own, { role: 'windowMenu' }]
}

function itemsOf(group: string, run: (id: ActionId) => void): MenuItemConstructorOptions[] {
  return ACTION_IDS.filter((id) => actionOf(id).group === group).map((id) => {
    const [chord] = keysOf(id, { system: SYSTEM, shell: 'desktop' })
    const keys = chord === undefined ? {} : { accelerator: acceleratorOf(chord), registerAccelerator: false }
    return { id, label: actionOf(id).title, ...keys, click: () => run(id) }
  })
}
