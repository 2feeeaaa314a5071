import type { Logger } from '../core/log'
import type { ActionId } from '../shared/actions'
import type { TerminalId, WorkspaceKey } from '../shared/terminal'
import type { Desktop } from './desktop'
import { chooseFolder } from './folders'
import { setupGuards } from './guards'
import { setupDesktopIpc, setupIpc, whileElsewhere, whileHost } from './ipc'
import { setupMenu } from './menu'
import { setupNotices } from './notices'
import { setupQuit } from './quit'
import { noteLostProcesses } from './recovery'
import { followRemoteNotices } from './remoteNotices'
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
  const showTerminal = (workspace: WorkspaceKey, id: TerminalId) => tell(windows.tell('showTerminal', workspace, id))
  whileHost(desktop, (host) => {
    const show = (id: TerminalId) => {
      const place = host.workspaces.placeOf(id)
      if (place) showTerminal({ project: place.project, session: place.session }, id)
    }
    return setupNotices({ ...host, rules: () => host.settingsStore.current, showTerminal: show })
  })
  whileElsewhere(desktop, (openUrl) => followRemoteNotices({ openUrl, showTerminal, log }))
  desktop.onMove(() => tell(windows.reloadAll()))
  followScreenReader((isThere) => windows.tellAll('screenReaderChanged', isThere))
  windows.follow()
  await windows.open()
  await windows.showFolderIn(process.argv)
}
