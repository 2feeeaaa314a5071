import type { Logger } from '../core/log'
import type { TerminalId } from '../shared/terminal'
import type { Desktop } from './desktop'
import { chooseFolder } from './folders'
import { setupGuards } from './guards'
import { setupDesktopIpc, setupIpc } from './ipc'
import { setupMenu } from './menu'
import { setupNotices } from './notices'
import { setupQuit } from './quit'
import { noteLostProcesses } from './recovery'
import { setupUpdates } from './updates'
import { Windows } from './window'

/** Everything around the page: window, menu, calls, notifications, updates, and how it ends. */
export async function setupShell(desktop: Desktop, { folder, log }: { folder: string; log: Logger }): Promise<void> {
  const { origin, host } = desktop
  const windows = new Windows(desktop, log)
  const tell = (work: Promise<void>) =>
    void work.catch((err: unknown) => log.error({ err }, 'the window could not be reached'))
  setupQuit(desktop, { folder, log })
  setupGuards(origin)
  noteLostProcesses(log)
  setupMenu((id) => (id === 'newWindow' ? tell(windows.open()) : tell(windows.tell('runAction', id))))
  if (host) setupIpc({ ...host, origin, log })
  const updates = setupUpdates({
    log,
    choice: () => host?.settingsStore.current.updates ?? 'off',
    ready: (version) => tell(windows.tell('updateReady', version))
  })
  setupDesktopIpc(
    {
      chooseFolder,
      newWindow: () => windows.open(),
      restartToUpdate: async () => (await updates).restart()
    },
    origin
  )
  if (host) {
    const showTerminal = (id: TerminalId) => {
      const place = host.workspaces.placeOf(id)
      if (place) tell(windows.tell('showTerminal', { project: place.project, session: place.session }, id))
    }
    setupNotices({ ...host, rules: () => host.settingsStore.current, showTerminal })
  }
  windows.follow()
  await windows.open()
  await windows.showFolderIn(process.argv)
}
