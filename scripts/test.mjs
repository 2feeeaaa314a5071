// `npm test`: sets up, builds, runs every test there is, looks for what was left behind, and ends with one plain line.

import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { knownRows, printTable } from '../tests/soak/table.mjs'
import { runQuietly } from './children.mjs'
import { findLeftovers, RUN_MARKER, takeStock } from './testing/leftovers.mjs'
import { faultReports, parts } from './testing/parts.mjs'
import { runPart } from './testing/runPart.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = join(root, 'test-results')

const totals = { passed: 0, failed: 0, skipped: 0 }
const unsteady = []
const failures = []
await runAll()
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`)
process.exitCode = totals.failed > 0 ? 1 : 0

async function runAll() {
  if (!(await ready('setup', ['--tests'])) || !(await ready('build'))) return
  for (const old of [reports, join(root, '.cache/e2e-again.json'), faultReports(root)])
    rmSync(old, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const before = takeStock()
  const runId = randomUUID()
  const env = { ...process.env, CI: process.env.CI ?? 'true', [RUN_MARKER]: runId }
  for (const part of parts(root, reports)) {
    const result = await runPart(part, { cwd: root, env })
    add(result)
    const named = (name) => `${part.name}: ${name}`
    unsteady.push(...result.unsteady.map(named))
    failures.push(...result.failures.map(named))
  }
  process.stdout.write('\n── faults that were injected\n')
  printTable(faultReports(root), knownRows(root))
  process.stdout.write('\n── leftovers\n')
  const leftovers = await findLeftovers(before, runId)
  for (const line of leftovers) process.stdout.write(`${line}\n`)
  add({ passed: leftovers.length === 0 ? 1 : 0, failed: leftovers.length, skipped: 0 })
  printList('passed only when run again, alone', unsteady)
  printList('failed', failures)
}

/** Near the last line, where it is found in a long log. */
function printList(title, lines) {
  if (lines.length > 0) process.stdout.write(`\n── ${title}\n${lines.join('\n')}\n`)
}

async function ready(script, args = []) {
  if ((await runQuietly(join(root, `scripts/${script}.mjs`), args)) === 0) return true
  add({ passed: 0, failed: 1, skipped: 0 })
  return false
}

function add(counts) {
  for (const name of Object.keys(totals)) totals[name] += counts[name]
}
