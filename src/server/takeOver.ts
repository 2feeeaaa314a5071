import { setTimeout as wait } from 'node:timers/promises'
import { compareVersions } from '../core/compareVersions'
import { type Endpoint, readEndpoint } from '../core/data/discovery'
import { HostRunningError } from '../core/host'
import type { Logger } from '../core/log'
import { VERSION } from '../core/version'
import { askToHandOver } from './handOver'
import type { PortChoice } from './listen'
import { strings } from './strings'

const LOOK_AGAIN_MS = 25

/** What the next host goes on with, so that agents and windows find it where the last one was. */
export interface Inheritance {
  port: PortChoice
  token: string
  browserSessions: readonly string[]
}

/** The running host stays in charge, and says why. */
export class HandOverRefused extends Error {
  override readonly name = 'HandOverRefused'

  constructor(
    readonly running: Endpoint,
    reason: string
  ) {
    super(strings.hosts.handOverRefused(running.pid, reason))
  }
}

interface TakeOverOptions {
  dataDir: string
  isForced: boolean
  /** What the person asked for; any free port gives way to the one that clients know. */
  port: PortChoice
  log: Logger
}

/** Asks the running host to let go. Undefined when it is not ours to ask: it is not older, and nobody insists. */
export async function takeOver(options: TakeOverOptions): Promise<Inheritance | undefined> {
  const { dataDir, isForced, log } = options
  const running = readEndpoint(dataDir)
  if (!running) return undefined
  if (!isForced && compareVersions(running.version, VERSION) >= 0) return undefined
  const { pid, version } = running
  log.info({}, strings.hosts.takingOver(pid, version))
  const { browserSessions } = await ask(running, isForced)
  return { port: portAfter(options.port, running), token: running.token, browserSessions }
}

async function ask(running: Endpoint, isForced: boolean) {
  try {
    return await askToHandOver(running, { version: VERSION, pid: process.pid, isForced })
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new HandOverRefused(running, reason)
  }
}

interface Patience {
  limitMs: number
  /** Whether there is still something to wait for. */
  mayWait(failure: HostRunningError): boolean
}

/** Tries until the data dir is free. The last answer that it is not stands when the time is over. */
export async function whenFree<T>(open: () => Promise<T>, { limitMs, mayWait }: Patience): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return await open()
    } catch (failure) {
      if (!(failure instanceof HostRunningError) || performance.now() > deadline || !mayWait(failure)) throw failure
      await wait(LOOK_AGAIN_MS)
    }
  }
}

function portAfter(asked: PortChoice, { url }: Endpoint): PortChoice {
  return 'exact' in asked && asked.exact !== 0 ? asked : { startAt: Number(new URL(url).port) }
}
