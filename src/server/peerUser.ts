import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Linux' own lists of connections; clients of the newer family reach an address of the older one, too. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ROOT = 0

type Ends = Pick<Socket, 'remotePort' | 'localPort'>

/**
 * Whether another user of this machine is at the other end. False where the system does not tell, as for connections
 * that come from outside. Root may do everything anyway, and passes connections on for others.
 */
export async function isOtherUsers(ends: Ends, ownUser = process.getuid?.()): Promise<boolean> {
  const tables = await Promise.all(TABLES.map(readTable))
  return tables.flatMap((table) => usersIn(table, ends)).some((user) => user !== ROOT && user !== ownUser)
}

/** The users of the far ends: their own port is our peer's. */
export function usersIn(table: string, { remotePort, localPort }: Ends): number[] {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  const found = rows.filter(([, own, far]) => portIn(own) === remotePort && portIn(far) === localPort)
  return found.map((row) => Number(row[7]))
}

function portIn(address = ''): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16)
}

async function readTable(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (failure) {
    // No such table, or not for us to read.
    if (failure instanceof Error && 'code' in failure) return ''
    throw failure
  }
}
