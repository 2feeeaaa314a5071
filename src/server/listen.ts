import type { Server } from 'node:http'
import { AppError } from '../shared/errors'
import { strings } from './strings'

/** `exact`: this port or none (0: any free one). `startAt`: this port, else the next free one. */
export type PortChoice = { exact: number } | { startAt: number }

const DEFAULT_PORT = 7681
const MAX_PORT = 65_535
const MAX_TRIES = 100

/** Somebody else listens on the port that was asked for. */
export class PortBusyError extends Error {
  override readonly name = 'PortBusyError'

  constructor(readonly port: number) {
    super(`Port ${port} is in use`)
  }
}

/** What a person wrote as a port: that one and no other; without a word the usual one or the next. Undefined: no port. */
export function chosenPort(given: string | undefined): PortChoice | undefined {
  if (given === undefined || given === '') return { startAt: DEFAULT_PORT }
  if (!/^\d{1,5}$/.test(given) || Number(given) > MAX_PORT) return undefined
  return { exact: Number(given) }
}

/** Binds the server and returns its port. */
export async function listen(server: Server, address: string, choice: PortChoice): Promise<number> {
  if ('exact' in choice) return bind(server, address, choice.exact)
  const last = Math.min(MAX_PORT, choice.startAt + MAX_TRIES)
  for (let port = choice.startAt; port < last; port++) {
    try {
      return await bind(server, address, port)
    } catch (failure) {
      if (!(failure instanceof PortBusyError)) throw failure
    }
  }
  return bind(server, address, 0)
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (failure: NodeJS.ErrnoException) => {
      server.off('listening', onListening)
      reject(failure.code === 'EADDRINUSE' ? new PortBusyError(port) : cannotListen(failure, { host, port }))
    }
    const onListening = () => {
      server.off('error', onError)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen({ host, port })
  })
}

function cannotListen(failure: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const { notOurAddress, notOurPort, cannotListenOn } = strings.listen
  const hint = failure.code === 'EACCES' ? notOurPort : notOurAddress
  const isKnown = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(failure.code ?? '')
  return isKnown ? new AppError('IO_ERROR', cannotListenOn(host, port), hint, { cause: failure }) : failure
}
