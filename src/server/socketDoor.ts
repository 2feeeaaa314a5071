import { chmodSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Addresses } from './addresses'

/** What the kernel takes as the name of a socket is this short on macOS; longer ones are cut without a word there. */
const MAX_PATH_BYTES = 103

/**
 * Who speaks through a file of ours is on this machine and may open it: there is no port to name, and no page can come
 * this way.
 */
export const SOCKET_ADDRESSES: Pick<Addresses, 'hosts' | 'origins'> = {
  hosts: new Set(['localhost']),
  origins: new Set()
}

/**
 * The same doors on a socket in the file system, which other users cannot even connect to. Only the owner of the data
 * directory opens it, so one that is there already is a killed host's. False when its path is too long for a socket.
 */
export async function listenOnSocket(server: Server, path: string): Promise<boolean> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return false
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
  chmodSync(path, 0o600)
  return true
}
