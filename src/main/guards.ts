import { app, type Session, shell, type WebContents } from 'electron'
import { openableAddress } from '../shared/openableAddress'
import type { Desktop } from './desktop'
import { isOwnOrigin } from './ownOrigin'

// Copying a selection is the one thing the page may ask of the system.
const ALLOWED_PERMISSION = 'clipboard-sanitized-write'

/** Every window, however it came about: it stays on its page, opens nothing, embeds nothing, is granted nothing. */
export function setupGuards(desktop: Pick<Desktop, 'origin'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url)
      return { action: 'deny' }
    })
    guardPermissions(contents.session, desktop)
  })
}

function guardPermissions(session: Session, desktop: Pick<Desktop, 'origin'>): void {
  const allows = (contents: WebContents | null, permission: string) =>
    permission === ALLOWED_PERMISSION && contents !== null && isOwnOrigin(contents.getURL(), desktop.origin)
  session.setPermissionRequestHandler((contents, permission, decide) => decide(allows(contents, permission)))
  session.setPermissionCheckHandler((contents, permission) => allows(contents, permission))
}

function openOutside(url: string): void {
  const address = openableAddress(url)
  if (address !== undefined) void shell.openExternal(address)
}
