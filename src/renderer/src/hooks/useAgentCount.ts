import { useEffect, useState } from 'react'
import { coalesced } from '../stores/coalesced'
import { useBridge } from './useBridge'

/** Nobody announces that an agent has become silent. */
const LOOK_AGAIN_MS = 60_000

/** How many different agents are at work now, or were a few minutes ago. */
export function useAgentCount(isConnected: boolean): number {
  const bridge = useBridge()
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (!isConnected) return
    const look = coalesced(async () => {
      const listed = await bridge.listConnectedAgents()
      if (!listed.ok) return
      const active = listed.value.filter(({ isActive }) => isActive)
      setCount(new Set(active.map(({ name, token }) => JSON.stringify([name, token]))).size)
    })
    void look()
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS)
    const stop = bridge.on('agentsChanged', () => void look())
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [bridge, isConnected])
  return isConnected ? count : 0
}
