import type { Logger } from '../core/log'
import type { ActionId } from '../shared/actions'
import type { TerminalId } from '../shared/terminal'
import type { Desktop } from './desktop'
import { chooseFolder } from './folders'
import { setupGuards } from './guards'
import { setupDesktopIpc, setupIpc, whileHost } from './ipc'
import { setupMenu } from './menu'
import { setupNotices } from './notices'
import { setupQuit } from './quit'
import { noteLostProcesses } from './recovery'
import { followScreenReader, screenReaderIsThere } from './screenReader'
import { setupUpdates } from './updates'
import { Windows } from './window'

/** Everything around the page: window, menu, calls, notifications, updates, and how it ends. */
export async function setupShell(desktop: Desktop, { folder, log }: { folder: string; log: Logger }): Promise<void> {
  const windows = new Windows(desktop, log)
  const tell = (work: Promise<void>) =>
    void work.catch((err: unknown) => log.error({ err }, 'the window could not be reached'))
  setupQuit(desktop, { folder, log })
  setupGuards(desktop)
  noteLostProcesses(log)
  const run = (id: ActionId) => (id === 'newWindow' ? tell(windows.open()) : tell(windows.tell('runAction', id)))
  setupMenu(run)
  whileHost(desktop, ({ settingsStore }) => {
    const show = () => setupMenu(run, settingsStore.current.shortcuts)
    show()
    return settingsStore.onChange(show)
  })
  setupIpc(desktop, log)
  const updates = setupUpdates({
    log,
    choice: () => desktop.host?.settingsStore.current.updates ?? 'off',
    ready: (version) => tell(windows.tell('updateReady', version))
  })
  setupDesktopIpc(
    {
      chooseFolder,
      newWindow: () => windows.open(),
      screenReaderIsThere,
      restartToUpdate: async () => (await updates).restart()
    },
    desktop
  )
  whileHost(desktop, (host) => {
    const showTerminal = (id: TerminalId) => {
      const place = host.workspaces.placeOf(id)
      if (place) tell(windows.tell('showTerminal', { project: place.project, session: place.session }, id))
    }
    return setupNotices({ ...host, rules: () => host.settingsStore.current, showTerminal })
  })
  desktop.onMove(() => tell(windows.reloadAll()))
  followScreenReader((isThere) => windows.tellAll('screenReaderChanged', isThere))
  windows.follow()
  await windows.open()
  await windows.showFolderIn(process.argv)
}
