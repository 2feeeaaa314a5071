import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { percentile } from '../harness/percentile'
import { CLEAR_LINE, Tab } from '../harness/tab'
import { pause, until } from '../harness/waiting'
import type { Created } from '../harness/workspace'

const MEGABYTE = 1024 * 1024
// At once, again and again for as long as a soak lasts.
const SLOW_VIEWERS = 50
const ECHOES_MS = 150

faultTest({ id: 'B17', fault: 'viewers that never read', quick: 5, full: 1500, places: BOTH_PLACES }, (injection) =>
  FaultHost.during((host) => neverRead(host, injection), { injection })
)

/** The program is not held up, other clients see everything, and the host's memory stays where it was. */
async function neverRead(host: FaultHost, injection: Injection): Promise<void> {
  const [flood, calm] = [await host.door().create('flood'), await host.door().create('calm')]
  let before: number | undefined
  const echoes: number[] = []
  while (injection.done < injection.wanted && !injection.isOver) {
    await startFlood(host, flood.tmuxSession)
    before ??= host.residentBytes()
    const viewers = Math.min(SLOW_VIEWERS, injection.wanted - injection.done)
    await hangTogether(host, injection, { flood, calm, viewers, before, echoes })
  }
  injection.limit('echoP99Ms', percentile(echoes, 99), 50)
}

interface Hanging {
  flood: Created
  calm: Created
  viewers: number
  /** Bytes of the host before any of them. */
  before: number
  echoes: number[]
}

async function hangTogether(host: FaultHost, injection: Injection, hanging: Hanging): Promise<void> {
  const { flood, calm, viewers, before, echoes } = hanging
  const slow: Tab[] = []
  for (const _ of injection.rounds(viewers)) {
    const tab = await Tab.open(host.tandem, flood.tmuxSession)
    tab.stopReading()
    slow.push(tab)
    const other = await Tab.open(host.tandem, calm.tmuxSession)
    other.type(`echo calm-$((${injection.done}+1))\r`)
    await other.sees(`calm-${injection.done + 1}`)
    for (const end = performance.now() + ECHOES_MS; performance.now() < end; ) echoes.push(await other.echoMs())
    other.type(CLEAR_LINE)
    other.close()
    checkMemory(host, injection, { before, viewers })
  }
  await pause(2000)
  checkMemory(host, injection, { before, viewers: slow.length })
  await expectCaughtUp(host, injection, { tmuxSession: flood.tmuxSession, slow })
  for (const tab of slow) tab.close()
}

async function startFlood(host: FaultHost, tmuxSession: string): Promise<void> {
  const reader = await Tab.open(host.tandem, tmuxSession)
  reader.type('yes 0123456789012345678901234567890123456789\r')
  await until(() => reader.bytes.length > 4 * MEGABYTE, { what: 'the flood' })
  reader.close()
  await pause(1000)
}

function checkMemory(
  host: FaultHost,
  injection: Injection,
  { before, viewers }: { before: number; viewers: number }
): void {
  const grownMegabytes = (host.residentBytes() - before) / MEGABYTE
  injection.note('grownMegabytesPerViewer', grownMegabytes / viewers)
  if (grownMegabytes > 20 * viewers) injection.loss(`${grownMegabytes} MB more for ${viewers} slow viewers`)
}

/** The program went on printing all the time; who reads again is soon where everybody is. */
async function expectCaughtUp(
  host: FaultHost,
  injection: Injection,
  { tmuxSession, slow }: { tmuxSession: string; slow: Tab[] }
): Promise<void> {
  const stoppedAt = Math.max(...slow.map(({ offset = 0 }) => offset))
  const reader = await Tab.open(host.tandem, tmuxSession)
  const wentOn = (reader.offset ?? 0) - stoppedAt
  injection.note('printedMeanwhileMegabytes', wentOn / MEGABYTE)
  if (wentOn < MEGABYTE) injection.loss(`the program printed ${wentOn} bytes while nobody read`)
  reader.type('\x03')
  await pause(500)
  reader.forget()
  reader.type('echo all-$((1+1))-over\r')
  await reader.sees('all-2-over\r\n')
  await pause(200)
  for (const tab of slow) {
    tab.forget()
    tab.startReading()
  }
  const isBehind = ({ offset = 0 }: Tab) => offset < (reader.offset ?? 0)
  const areThere = async () => {
    injection.note('countedAsGone', await comeBack(host, tmuxSession, slow))
    return !slow.some(isBehind)
  }
  await until(areThere, { what: 'every slow viewer to be where everybody is' })
  reader.close()
}

/** Who read nothing for so long that it counted as gone comes back, as a page does; how many those are. */
async function comeBack(host: FaultHost, tmuxSession: string, viewers: Tab[]): Promise<number> {
  let gone = 0
  for (const [place, { closeCode, offset = 0 }] of viewers.entries()) {
    if (closeCode === undefined) continue
    viewers[place] = await Tab.open(host.tandem, tmuxSession, { from: offset })
    gone += 1
  }
  return gone
}
