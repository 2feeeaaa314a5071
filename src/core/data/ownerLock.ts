import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile } from './privateFile'
import { processStart } from './processStart'

/** Held while this process is the one owner of its data dir. The kernel frees it however the process ends. */
export type ReleaseLock = () => void

// BSD's open flag, absent from node:fs constants.
const O_EXLOCK = 0x20

/** The lock, or undefined when another process holds it. */
export function takeOwnerLock(dataDir: string, ownerId: string): Promise<ReleaseLock | undefined> {
  return process.platform === 'linux' ? takeAbstractSocket(socketName(ownerId)) : Promise.resolve(takeFileLock(dataDir))
}

/**
 * Whether a host with this owner id runs on this machine now. Only where the lock is a socket can that be proved from
 * outside; elsewhere, and on any doubt, the answer is no.
 */
export function ownerIsRunning(ownerId: string): Promise<boolean> {
  if (process.platform !== 'linux' || !/^[0-9a-f-]{36}$/.test(ownerId)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const connection = connect({ path: socketName(ownerId) })
    connection.once('connect', () => resolve(true))
    connection.once('error', () => resolve(false))
    connection.once('connect', () => connection.destroy())
  })
}

const holderSchema = z.object({ pid: z.number().int(), started: z.string() })

/** Says who holds the lock, for those who find it held. Written in place: where the lock is this file, it stays locked. */
export function noteLockHolder(dataDir: string): void {
  const { pid } = process
  writeFileSync(fileIn(dataDir), `${JSON.stringify({ pid, started: processStart(pid) ?? '' })}\n`, { mode: 0o600 })
}

/** The process that noted itself, while it lives. */
export function lockHolder(dataDir: string): number | undefined {
  try {
    const holder = holderSchema.safeParse(JSON.parse(readPrivateFile(fileIn(dataDir)) ?? '')).data
    return holder && processStart(holder.pid) === holder.started ? holder.pid : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'lock')
}

function socketName(ownerId: string): string {
  return `\0tandem-${ownerId}`
}

// An abstract socket has no file to go stale: its name is free the moment its process is gone.
function takeAbstractSocket(name: string): Promise<ReleaseLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy())
    // It stays when the name is ours: who looks for us while there are no descriptors to spare must not end us.
    server.on('error', (failure: NodeJS.ErrnoException) => {
      if (failure.code === 'EADDRINUSE') resolve(undefined)
      else reject(failure)
    })
    server.listen({ path: name }, () => {
      server.unref()
      resolve(() => server.close())
    })
  })
}

function takeFileLock(dataDir: string): ReleaseLock | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK
  try {
    const descriptor = openSync(fileIn(dataDir), flags, 0o600)
    return () => closeSync(descriptor)
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'EAGAIN') return undefined
    throw failure
  }
}
