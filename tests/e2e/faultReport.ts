import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { TANDEM_FAULT_REPORT, TANDEM_FAULT_SCALE } = process.env

/** Rounds of a fault of the page: few in `npm test`, all of them in a soak. */
export function rounds({ quick, full }: { quick: number; full: number }): number {
  return TANDEM_FAULT_SCALE === 'full' ? full : quick
}

interface PageFault {
  row: string
  fault: string
  count: number
}

/** Goes through the rounds of a fault of the page, and puts it into the table that the other faults are in. */
export async function inject(what: PageFault, round: (number: number) => Promise<void>): Promise<void> {
  let done = 0
  report(what, done, ['it was broken off'])
  const losses: string[] = []
  try {
    for (; done < what.count; done += 1) await round(done + 1)
  } catch (failure) {
    losses.push(`round ${done + 1}: ${failure instanceof Error ? failure.stack : String(failure)}`)
    throw failure
  } finally {
    report(what, done, losses)
  }
}

function report({ row, fault }: PageFault, rounds: number, losses: readonly string[]): void {
  if (!TANDEM_FAULT_REPORT) return
  mkdirSync(TANDEM_FAULT_REPORT, { recursive: true })
  const name = `${row}-${fault.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-page.json`
  const entry = { row, fault, place: 'page', rounds, losses, notes: {} }
  writeFileSync(join(TANDEM_FAULT_REPORT, name), `${JSON.stringify(entry, null, 2)}\n`)
}
