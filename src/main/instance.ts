import { setTimeout as wait } from 'node:timers/promises'
import { app } from 'electron'
import { compareVersions } from '../core/compareVersions'
import { readEndpoint } from '../core/data/discovery'
import type { Logger } from '../core/log'
import { VERSION } from '../core/version'
import type { Desktop } from './desktop'

/** How long an older app may take to let go of the terminals. */
const ROOM_LIMIT_MS = 15_000
const ASK_AGAIN_MS = 250

/**
 * True when this is the one app of its data dir. Another start of the same app shows the window that is there; a newer
 * app, started while an older one runs, waits until that one has made room.
 */
export async function takeInstance(dataDir: string): Promise<boolean> {
  const isFirst = () => app.requestSingleInstanceLock({ version: VERSION })
  const deadline = performance.now() + ROOM_LIMIT_MS
  if (isFirst()) return true
  const running = readEndpoint(dataDir)
  if (!running || compareVersions(running.version, VERSION) >= 0) return false
  while (performance.now() < deadline) {
    await wait(ASK_AGAIN_MS)
    if (isFirst()) return true
  }
  return false
}

/** Leaves when a newer app was started, unless programs would end with this one; those in tmux notice nothing. */
export function makeRoomForNewer(desktop: Desktop, log: Logger): void {
  let isLeaving = false
  app.on('second-instance', (_event, _words, _folder, data) => {
    const version = versionIn(data)
    if (isLeaving || version === undefined || compareVersions(version, VERSION) <= 0) return
    const { host } = desktop
    if (!host || host.terminals.all().some(({ state, backendKind }) => state === 'running' && backendKind === 'pty'))
      return
    isLeaving = true
    log.info({ version }, 'a newer app was started: this one makes room')
    desktop
      .stop()
      .catch((err: unknown) => log.error({ err }, 'not everything could be closed'))
      .finally(() => app.exit())
  })
}

/** What a later start says of itself; another process said it, so it may be anything. */
function versionIn(data: unknown): string | undefined {
  const version = typeof data === 'object' && data !== null && 'version' in data ? data.version : undefined
  return typeof version === 'string' ? version : undefined
}
