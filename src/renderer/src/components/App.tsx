import { useEffect, useState } from 'react'
import type { PageBridge } from '../bridge/pageBridge'
import { BridgeContext } from '../hooks/useBridge'
import { useAnnouncement } from '../stores/announcer'
import { useConnection } from '../stores/connection'
import { workspaceId } from '../stores/workspaceId'
import { followWorkspaces, loadWorkspaces, useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { ConnectionBanner } from './ConnectionBanner'
import { Icon } from './Icon'
import { Sidebar } from './Sidebar'
import { SignedOut } from './SignedOut'
import { Toasts } from './Toasts'
import { WorkspaceView } from './WorkspaceView'

/** The page: workspaces at the left, the chosen one beside them, and what the person must know above both. */
export function App({ page }: { page: PageBridge }) {
  const connection = useConnection(({ state }) => state)
  const chosen = useWorkspaces((state) => state.chosen)
  const [drawerOpen, setDrawerOpen] = useState(false)
  useHost(page, connection === 'connected')
  useRetryOnReturn(page, connection === 'signedOut')
  return (
    <BridgeContext value={page.bridge}>
      <div className={drawerOpen ? 'app drawerOpen' : 'app'}>
        <Sidebar onChosen={() => setDrawerOpen(false)} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button beside it does the same by keyboard */}
        <div className="scrim" onClick={() => setDrawerOpen(false)} />
        <main>
          <DrawerButton open={drawerOpen} onToggle={() => setDrawerOpen(!drawerOpen)} />
          {chosen ? (
            <WorkspaceView key={workspaceId(chosen)} workspace={chosen} />
          ) : (
            <p className="loading">{strings.connection.connecting}</p>
          )}
          <ConnectionBanner onRetry={page.retryNow} />
          {connection === 'signedOut' && <SignedOut onRetry={page.retryNow} />}
        </main>
        <Toasts />
        <Announcer />
      </div>
    </BridgeContext>
  )
}

function DrawerButton({ open, onToggle }: { open: boolean; onToggle(): void }) {
  const label = open ? strings.hideSidebar : strings.showSidebar
  return (
    <button
      type="button"
      className="iconButton drawerButton"
      aria-expanded={open}
      aria-label={label}
      title={label}
      onClick={onToggle}
    >
      <Icon name="menu" />
    </button>
  )
}

function Announcer() {
  const text = useAnnouncement((state) => state.text)
  return (
    <p className="hidden-text" role="status">
      {text}
    </p>
  )
}

function useHost({ bridge }: PageBridge, connected: boolean): void {
  useEffect(() => {
    if (!connected) return
    void loadWorkspaces(bridge)
    return followWorkspaces(bridge)
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
