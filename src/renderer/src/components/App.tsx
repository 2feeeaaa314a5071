import { type CSSProperties, useEffect } from 'react'
import { focusNextRegion } from '../actions/focusNextRegion'
import { useActionHandlers } from '../actions/registry'
import type { PageBridge } from '../bridge/pageBridge'
import { BridgeContext } from '../hooks/useBridge'
import { useNextNeedsMe } from '../hooks/useNextNeedsMe'
import { useShortcuts } from '../hooks/useShortcuts'
import { useSidebarHandlers } from '../hooks/useSidebarHandlers'
import { followActivity } from '../stores/activity'
import { useAlarm, useAnnouncement } from '../stores/announcer'
import { followBrowserNotices } from '../stores/browserNotices'
import { followConnectedAgents } from '../stores/connectedAgents'
import { useConnection } from '../stores/connection'
import { followControlNews } from '../stores/controlNews'
import { followHistory } from '../stores/history'
import { showOverlay, useOverlay } from '../stores/overlay'
import { closeSheet, usePanel } from '../stores/panel'
import { useSettings } from '../stores/settings'
import { changeSidebar, drawnWidth, useSidebar } from '../stores/sidebar'
import { followWaiting } from '../stores/waiting'
import { workspaceId } from '../stores/workspaceId'
import { followWorkspaces, loadWorkspaces, useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { ActivityPanel } from './ActivityPanel'
import { ConnectionBanner } from './ConnectionBanner'
import { Loading } from './Loading'
import { Palette } from './Palette'
import { Sidebar } from './Sidebar'
import { SignedOut } from './SignedOut'
import { StatusBar } from './StatusBar'
import { Switcher } from './Switcher'
import { TitleBar } from './TitleBar'
import { Toasts } from './Toasts'
import { WindowLayers } from './WindowLayers'
import { WorkspaceView } from './WorkspaceView'

/** The page: workspaces at the left, the chosen one beside them, and what the person must know above both. */
export function App({ page }: { page: PageBridge }) {
  const connection = useConnection(({ state }) => state)
  const chosen = useWorkspaces((state) => state.chosen)
  const { isDrawerOpen } = useSidebar()
  const width = useSidebar(drawnWidth)
  // Their keys stand in tooltips everywhere: all of it is drawn anew when they change.
  useSettings(({ values }) => values.shortcuts)
  const { isHidden: isPanelHidden, isSheetOpen } = usePanel()
  useHost(page, connection === 'connected')
  useShortcuts()
  useNextNeedsMe()
  useSidebarHandlers(page.bridge)
  useActionHandlers({
    palette: () => showOverlay('palette'),
    quickSwitch: () => showOverlay('switcher'),
    nextRegion: focusNextRegion
  })
  useRetryOnReturn(page, connection === 'signedOut')
  return (
    <BridgeContext value={page.bridge}>
      <div
        className={['app', isDrawerOpen && 'drawerOpen', isSheetOpen && 'sheetOpen', !isPanelHidden && 'withPanel']
          .filter(Boolean)
          .join(' ')}
        style={{ '--sidebar-width': `${width}px` } as CSSProperties}
      >
        <TitleBar />
        <Sidebar />
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button beside it does the same by keyboard */}
        <div className="scrim" onClick={closeLayers} />
        <main>
          {chosen ? (
            <WorkspaceView key={workspaceId(chosen)} workspace={chosen} />
          ) : (
            <Loading text={strings.connection.connecting} />
          )}
          <ConnectionBanner onRetry={page.retryNow} />
          {connection === 'signedOut' && <SignedOut onRetry={page.retryNow} />}
        </main>
        <ActivityPanel />
        <StatusBar />
        <Overlays />
        <WindowLayers />
        <Toasts />
        <Announcer />
      </div>
    </BridgeContext>
  )
}

function closeLayers(): void {
  changeSidebar({ isDrawerOpen: false })
  closeSheet()
}

function Overlays() {
  const open = useOverlay((state) => state.open)
  if (open === 'palette') return <Palette onTerminal={focusScreen} />
  return open === 'switcher' ? <Switcher onChosen={focusScreen} /> : null
}

/** After the page is drawn: the terminal that was chosen may not be there yet. */
function focusScreen(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.terminalPane:not([hidden]) textarea')?.focus())
}

function Announcer() {
  const text = useAnnouncement((state) => state.text)
  const urgent = useAlarm((state) => state.text)
  return (
    <>
      <p className="hidden-text" role="status">
        {text}
      </p>
      <p className="hidden-text" aria-live="assertive">
        {urgent}
      </p>
    </>
  )
}

function useHost({ bridge }: PageBridge, connected: boolean): void {
  useEffect(() => {
    if (!connected) return
    void loadWorkspaces(bridge)
    const stops = [
      followWorkspaces(bridge),
      followActivity(bridge),
      followControlNews(),
      followHistory(bridge),
      followConnectedAgents(bridge),
      followWaiting(bridge),
      followBrowserNotices()
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [bridge, connected])
}

/** A fresh code may have been used in another tab meanwhile: its cookie is this page's too. */
function useRetryOnReturn({ retryNow }: PageBridge, signedOut: boolean): void {
  useEffect(() => {
    if (!signedOut) return
    window.addEventListener('focus', retryNow)
    return () => window.removeEventListener('focus', retryNow)
  }, [retryNow, signedOut])
}
