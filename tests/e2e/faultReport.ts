import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

const { TANDEM_FAULT_REPORT, TANDEM_FAULT_SCALE, TANDEM_FAULT_ROWS, TANDEM_FAULT_MINUTES } = process.env
const ROWS = TANDEM_FAULT_ROWS?.split(',')
const IS_FULL = TANDEM_FAULT_SCALE === 'full'
// A soak's minutes are for each fault.
const MAX_MS = TANDEM_FAULT_MINUTES ? Number(TANDEM_FAULT_MINUTES) * 60_000 : Number.POSITIVE_INFINITY

/** Rounds of a fault of the page: few in `npm test`, all of them in a soak. */
export function rounds({ quick, full }: { quick: number; full: number }): number {
  return IS_FULL ? full : quick
}

interface PageFault {
  row: string
  fault: string
  count: number
}

/** Notes a value, of which the table shows the largest; in a soak one above `max` is a loss. */
type Limit = (name: string, value: number, max: number) => void

/** Goes through the rounds of a fault of the page, and puts it into the table that the other faults are in. */
export async function inject(what: PageFault, round: (number: number, limit: Limit) => Promise<void>): Promise<void> {
  test.skip(ROWS !== undefined && !ROWS.includes(what.row), 'another row was asked for')
  const startedMs = performance.now()
  const isOver = () => done > 0 && performance.now() - startedMs >= MAX_MS
  let done = 0
  report(what, { rounds: done, losses: ['it was broken off'], notes: {} })
  const losses: string[] = []
  const notes: Record<string, number> = {}
  const limit: Limit = (name, value, max) => {
    notes[name] = Math.max(notes[name] ?? 0, Math.round(value))
    if (IS_FULL && value > max) losses.push(`round ${done + 1}: ${name} was ${Math.round(value)}, above ${max}`)
  }
  try {
    for (; done < what.count && !isOver(); done += 1) await round(done + 1, limit)
  } catch (failure) {
    losses.push(`round ${done + 1}: ${failure instanceof Error ? failure.stack : String(failure)}`)
    throw failure
  } finally {
    report(what, { rounds: done, losses, notes })
  }
  expect(losses).toEqual([])
}

interface Outcome {
  rounds: number
  losses: readonly string[]
  notes: Readonly<Record<string, number>>
}

function report({ row, fault }: PageFault, outcome: Outcome): void {
  if (!TANDEM_FAULT_REPORT) return
  mkdirSync(TANDEM_FAULT_REPORT, { recursive: true })
  const name = `${row}-${fault.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-page.json`
  const entry = { row, fault, place: 'page', ...outcome }
  writeFileSync(join(TANDEM_FAULT_REPORT, name), `${JSON.stringify(entry, null, 2)}\n`)
}
