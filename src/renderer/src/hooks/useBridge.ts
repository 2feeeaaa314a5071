import { createContext, useContext } from 'react'
import type { Bridge } from '../../../shared/ipc'

export const BridgeContext = createContext<Bridge | undefined>(undefined)

/** The page's one way to the host. */
export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext)
  if (!bridge) throw new Error('useBridge is used outside of BridgeContext')
  return bridge
}
