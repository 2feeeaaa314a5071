import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The names under which this server is itself, exactly as a client must write them. */
export interface Addresses {
  /** Every `Host` header that is ours, with the port. */
  hosts: ReadonlySet<string>
  /** Every `Origin` header that is ours. */
  origins: ReadonlySet<string>
  /** The one we hand out: `http://127.0.0.1:7681`. */
  origin: string
}

const HTTP_PORT = 80
const WILDCARDS: readonly string[] = ['0.0.0.0', '::']
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost']

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether only programs of this machine come in by it. */
export function isLoopback(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return address === 'localhost'
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

export function addressesOf(address: string, port: number): Addresses {
  const names = new Set([...LOOPBACK_NAMES, ...ownNames(address)])
  const hosts = [...names].map((name) => withPort(name, port))
  return {
    hosts: new Set(hosts),
    origins: new Set(hosts.map((host) => `http://${host}`)),
    origin: `http://${withPort(publishedName(address), port)}`
  }
}

/** A wildcard is no name of ours; the literal addresses of this machine are, since no foreign name resolves to "them". */
function ownNames(address: string): string[] {
  if (!WILDCARDS.includes(address)) return [bracketed(address)]
  const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return interfaces.map((entry) => bracketed(entry.address))
}

function publishedName(address: string): string {
  return WILDCARDS.includes(address) || address === 'localhost' ? '127.0.0.1' : bracketed(address)
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

// Browsers and clients leave out the default port of the scheme.
function withPort(name: string, port: number): string {
  return port === HTTP_PORT ? name : `${name}:${port}`
}
