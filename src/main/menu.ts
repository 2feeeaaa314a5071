import { Menu } from 'electron'

/** macOS needs a menu for its own keys; elsewhere a menu would take keys from the programs in the terminals. */
export function setupMenu(): void {
  Menu.setApplicationMenu(process.platform === 'darwin' ? macMenu() : null)
}

function macMenu(): Menu {
  return Menu.buildFromTemplate([
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' }
  ])
}
