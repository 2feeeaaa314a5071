import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { TANDEM_FAULT_REPORT, TANDEM_FAULT_SCALE } = process.env

/** Rounds of a fault of the page: few in `npm test`, all of them in a soak. */
export function rounds({ quick, full }: { quick: number; full: number }): number {
  return TANDEM_FAULT_SCALE === 'full' ? full : quick
}

/** Puts a fault of the page into the table that the other faults are in; a loss has failed its test already. */
export function reportFault(row: string, fault: string, done: number): void {
  if (!TANDEM_FAULT_REPORT) return
  mkdirSync(TANDEM_FAULT_REPORT, { recursive: true })
  const name = `${row}-${fault.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-page.json`
  const entry = { row, fault, place: 'page', rounds: done, losses: [], notes: {} }
  writeFileSync(join(TANDEM_FAULT_REPORT, name), `${JSON.stringify(entry, null, 2)}\n`)
}
