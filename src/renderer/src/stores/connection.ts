import { create } from 'zustand'
import type { Connection } from '../bridge/connection'

/** The page's line to the host, as the banner shows it. */
export const useConnection = create<Connection>(() => ({ state: 'connecting' }))

export function setConnection(connection: Connection): void {
  useConnection.setState(connection, true)
}
