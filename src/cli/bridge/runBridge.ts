import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { locateDataDir } from '../../core/data/dataDir'
import { BRIDGE_HEADERS } from '../../shared/bridge'
import { EXIT_CODES } from '../exitCodes'
import { Bridge } from './bridge'
import type { BridgeOptions } from './bridgeOptions'
import { HostLink } from './hostLink'
import { type HostFinder, localHost } from './localHost'
import { Relay } from './relay'
import { RunningTime } from './runningTime'
import { StdioPeer } from './stdioPeer'
import { ToolList } from './toolList'

/** What was asked before the client closed its end is still answered, when that does not take long. */
const LAST_ANSWERS_MS = 10_000
const LAST_ANSWERS_LOOK_MS = 20
/** A client that is killed may leave its end of the pipe open in another process. */
const PARENT_LOOK_MS = 2000

/** `tandem mcp`: serves the client on stdin and stdout until it is gone. */
export function runBridge(options: BridgeOptions, finder: HostFinder = localHost): void {
  const time = new RunningTime()
  const headers = headersFor(options)
  const dataDir = locateDataDir(process.env, options.dataDir).path
  const link = new HostLink({ time, headers, ...finder(dataDir, process.env) })
  const relay = new Relay({ link, time, headers })
  const toolList = new ToolList(async () => (await import('./ownTools')).ownTools(headers))
  const end = () => {
    bridge.close()
    link.close()
    time.close()
    // What was answered last is on its way until this is called.
    process.stdout.write('', () => process.exit(EXIT_CODES.ok))
  }
  let isAwake = false
  const peer = new StdioPeer(
    { input: process.stdin, output: process.stdout },
    {
      message(message) {
        bridge.take(message)
        if (isAwake) return
        isAwake = true
        // After the first answer is out: whoever starts an agent waits for that.
        setImmediate(() => void wake(link, bridge))
      },
      ended: () => void lastAnswers(bridge).then(end),
      deaf: () => process.exit(EXIT_CODES.ok)
    }
  )
  const bridge = new Bridge({
    relay,
    toolList,
    peer: { answer: (id, outcome) => peer.answer(id, outcome), notify: (notification) => peer.notify(notification) }
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  endWithParent(end)
}

async function wake(link: HostLink, bridge: Bridge): Promise<void> {
  link.onAttached(() => void bridge.attached())
  await link.stayAttached()
}

async function lastAnswers(bridge: Bridge): Promise<void> {
  const deadline = performance.now() + LAST_ANSWERS_MS
  while (bridge.pendingRequests > 0 && performance.now() < deadline) await wait(LAST_ANSWERS_LOOK_MS)
}

function endWithParent(end: () => void): void {
  const { ppid } = process
  setInterval(() => {
    if (process.ppid !== ppid) end()
  }, PARENT_LOOK_MS).unref()
}

function headersFor({ toolsets, readOnly }: BridgeOptions): Record<string, string> {
  return {
    'user-agent': 'tandem-mcp',
    [BRIDGE_HEADERS.instance]: randomUUID(),
    [BRIDGE_HEADERS.cwd]: encodeURIComponent(process.cwd()),
    ...(toolsets === undefined ? {} : { 'x-mcp-toolsets': toolsets }),
    ...(readOnly ? { 'x-mcp-readonly': 'true' } : {})
  }
}
