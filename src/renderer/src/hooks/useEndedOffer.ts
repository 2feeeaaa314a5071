import { useEffect, useMemo } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { useConnection } from '../stores/connection'
import { type EndedOffer, NO_OFFER, useEndedOffers } from '../stores/endedOffers'
import { showError, showNotice } from '../stores/toasts'
import { workspaceId } from '../stores/workspaceId'
import { OfferActions } from '../tabs/offerActions'
import { useBridge } from './useBridge'

export interface OfferedTerminals extends EndedOffer {
  startAgain(): Promise<TerminalId | undefined>
  forget(): Promise<void>
}

/** The terminals of one workspace that ended although nobody closed them, kept in step with the host. */
export function useEndedOffer({ project, session }: WorkspaceKey): OfferedTerminals {
  const bridge = useBridge()
  const connected = useConnection(({ state }) => state === 'connected')
  const id = workspaceId({ project, session })
  const offer = useEndedOffers(({ byWorkspace }) => byWorkspace[id] ?? NO_OFFER)
  const actions = useMemo(
    () => new OfferActions({ bridge, workspace: { project, session }, onError: showError, onNotice: showNotice }),
    [bridge, project, session]
  )
  const { refresh, startAgain, forget } = actions
  useEffect(() => {
    if (!connected) return
    void refresh()
    return bridge.on('workspaceChanged', (changed) => {
      if (changed.project === project && changed.session === session) void refresh()
    })
  }, [bridge, connected, refresh, project, session])
  return { ...offer, startAgain, forget }
}
