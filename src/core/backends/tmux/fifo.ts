import { execFile } from 'node:child_process'
import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Fifo {
  readonly path: string
  close(): void
}

/** New FIFOs that only this user can open. */
export async function makeFifos(paths: readonly string[]): Promise<void> {
  await run('mkfifo', ['-m', '600', ...paths])
}

/**
 * A FIFO of ours and its only reader. Opened for both directions, so it never ends when a writer goes; read through a
 * socket, because files would each hold a thread of the small pool.
 */
export function openFifo(path: string, onBytes: (bytes: Buffer) => void): Fifo {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false })
  socket.on('data', onBytes)
  // The descriptor cannot fail while we hold it; a reader that ends anyway shows as a pipe that is closed.
  socket.on('error', () => socket.destroy())
  return {
    path,
    close: () => {
      socket.destroy()
      rmSync(path, { force: true })
    }
  }
}
