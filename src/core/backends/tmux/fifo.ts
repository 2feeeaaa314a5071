import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { Flood, GATHER_MS } from '../flood'

/** What a FIFO of the system holds, and so the most that one read can give. */
const FIFO_BYTES = 65_536

/** One for all: what a read brought is copied before the next read begins, anywhere. */
const readBuffer = Buffer.allocUnsafeSlow(FIFO_BYTES)

export interface Fifo {
  readonly path: string
  close(): void
}

/**
 * A FIFO of ours and its only reader. Opened for both directions, so it never ends when a writer goes; read through a
 * socket, because files would each hold a thread of the small pool. tmux hands on what it reads in pieces of a few
 * kilobytes, and each costs everybody on its way a wake-up: the relay, the host and its viewers. So a flood is read a
 * little later, and then much of it at once.
 */
export function openFifo(path: string, onBytes: (bytes: Buffer) => void): Fifo {
  const flood = new Flood()
  let timer: NodeJS.Timeout | undefined
  const callback = (length: number): boolean => {
    onBytes(Buffer.from(readBuffer.subarray(0, length)))
    // Half a FIFO and more has gathered already without a wait.
    if (!flood.isOnAfter(length) || length >= FIFO_BYTES / 2) return true
    timer = setTimeout(() => socket.resume(), GATHER_MS)
    return false
  }
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const options = { fd, readable: true, writable: false, onread: { buffer: readBuffer, callback } }
  const socket = new Socket(options)
  // The descriptor cannot fail while we hold it; a reader that ends anyway shows as a pipe that is closed.
  socket.on('error', () => socket.destroy())
  return {
    path,
    close: () => {
      clearTimeout(timer)
      socket.destroy()
      rmSync(path, { force: true })
    }
  }
}
