import { join } from 'node:path'
import { app } from 'electron'
import { type DataDir, openDataDir } from '../core/data/dataDir'
import { HostJournal } from '../core/data/hostJournal'
import { settingsNow } from '../core/data/settingsStore'
import { Desktop } from './desktop'
import { makeRoomForNewer, takeInstance } from './instance'
import { explainAndQuit } from './quit'
import { setupShell } from './shell'

// The desktop shell: core and doors run in this process, exactly as in `tandem serve`, and the window loads the page from
// their own loopback origin through a one-time code. So there is one way for terminal bytes (/ws with the cookie), the
// same in a browser and here, and the page has a real origin to be checked against; only the window's calls and events
// go over Electron's IPC. When another host owns the data dir the window is a browser for that one, with this shell's menu.

const userUmask = process.umask(0o077)

try {
  const dataDir = openDataDir(process.env)
  // Chromium's own files stay out of the data dir's, and each data dir has its own single instance.
  app.setPath('userData', join(dataDir.path, 'window'))
  void takeInstance(dataDir.path).then((isFirst) => (isFirst ? start(dataDir) : app.quit()))
} catch (failure) {
  explainAndQuit(failure)
}

async function start(dataDir: DataDir): Promise<void> {
  try {
    const { settings } = settingsNow(dataDir.path, { environment: process.env, flags: {} })
    const journal = new HostJournal({ dataDir: dataDir.path, environment: process.env, level: settings.log_level })
    const { log } = journal
    let desktop: Desktop | undefined
    journal.catchCrashes(() => {
      desktop?.withdraw()
      app.exit(1)
    })
    await app.whenReady()
    desktop = await Desktop.connect({ dataDir, userUmask, journal })
    makeRoomForNewer(desktop, log)
    await setupShell(desktop, { folder: dataDir.path, log })
  } catch (failure) {
    explainAndQuit(failure)
  }
}
