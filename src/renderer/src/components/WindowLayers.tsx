import { useEffect } from 'react'
import { useActionHandlers } from '../actions/registry'
import { resetZoom, zoomBy } from '../appearance/windowZoom'
import { useBridge } from '../hooks/useBridge'
import { useDesktopShell } from '../hooks/useDesktopShell'
import { useInstallOffer } from '../hooks/useInstallOffer'
import { useConnection } from '../stores/connection'
import { showOverlay, useOverlay } from '../stores/overlay'
import { followSettings } from '../stores/settings'
import { lastUsedTerminal } from '../terminal/lastUsedTerminal'
import { ConnectPage } from './ConnectPage'
import { ContextMenu } from './ContextMenu'
import { LinkHint } from './LinkHint'
import { QuestionDialog } from './QuestionDialog'
import { SettingsPage } from './SettingsPage'
import { TextView } from './TextView'

/** What lies over the page whatever it shows, and the actions that belong to the window as a whole. */
export function WindowLayers() {
  const bridge = useBridge()
  const isConnected = useConnection(({ state }) => state === 'connected')
  const overlay = useOverlay((state) => state.open)
  useDesktopShell()
  useEffect(() => (isConnected ? followSettings(bridge) : undefined), [bridge, isConnected])
  const install = useInstallOffer()
  useActionHandlers({
    installApp: install,
    readAsText: () => lastUsedTerminal() && showOverlay('text'),
    settings: () => showOverlay('settings'),
    fontLarger: () => zoomBy(1),
    fontSmaller: () => zoomBy(-1),
    fontReset: resetZoom
  })
  return (
    <>
      {overlay === 'settings' && <SettingsPage />}
      {overlay === 'connect' && <ConnectPage />}
      {overlay === 'text' && <TextView />}
      <ContextMenu />
      <LinkHint />
      <QuestionDialog />
    </>
  )
}
