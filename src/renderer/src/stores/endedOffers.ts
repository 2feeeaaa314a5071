import { create } from 'zustand'
import type { EndedTerminal } from '../../../shared/terminal'

export interface EndedOffer {
  /** Terminals that nobody closed, in the order their tabs had. */
  terminals: EndedTerminal[]
  /** Some of them are being started or forgotten now. */
  isBusy: boolean
}

export const NO_OFFER: EndedOffer = { terminals: [], isBusy: false }

/** What each visited workspace can have back. */
export const useEndedOffers = create<{ byWorkspace: Record<string, EndedOffer> }>(() => ({ byWorkspace: {} }))

export function endedOffer(workspace: string): EndedOffer {
  return useEndedOffers.getState().byWorkspace[workspace] ?? NO_OFFER
}

export function putEndedOffer(workspace: string, change: Partial<EndedOffer>): void {
  useEndedOffers.setState(({ byWorkspace }) => ({
    byWorkspace: { ...byWorkspace, [workspace]: { ...(byWorkspace[workspace] ?? NO_OFFER), ...change } }
  }))
}
