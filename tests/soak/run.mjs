// Every fault with its full count, then every promise that is tried many times with its own, and a table of both.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { RUN_MARKER } from '../../scripts/testing/leftovers.mjs'
import { runGroup } from '../../scripts/testing/runGroup.mjs'
import { knownRows, printPromises, printTable } from './table.mjs'

const USAGE = `npm run soak -- [options] [words]

  --rows B1,B2     these faults alone
  --counts         the promises alone: of all files, or of those whose names hold one of the words
  --minutes N      at most so long for each fault
  --seed N         the same faults and histories again
  --report folder  keeps the reports that the table is made from
`
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values, positionals } = readArguments({
  options: {
    help: { type: 'boolean', short: 'h' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rows: { type: 'string' },
    report: { type: 'string' },
    counts: { type: 'boolean', default: false }
  },
  allowPositionals: true
})
const report = values.report ?? mkdtempSync(join(tmpdir(), 'tandem-soak-'))
const promises = join(report, 'promises/report.json')
const environment = {
  ...process.env,
  [RUN_MARKER]: randomUUID(),
  TANDEM_FAULT_SCALE: 'full',
  TANDEM_COUNTS: 'full',
  TANDEM_FAULT_SEED: values.seed,
  TANDEM_SEED: values.seed,
  TANDEM_FAULT_REPORT: report,
  ...(values.rows ? { TANDEM_FAULT_ROWS: values.rows } : {}),
  ...(values.minutes ? { TANDEM_FAULT_MINUTES: values.minutes } : {})
}
// As long as a timer can be.
const NO_LIMIT_MS = 2 ** 31 - 1
// What a page is tried with, beside everything else.
const PAGE_ROWS = ['B15', 'B26']
process.stdout.write(`seed ${values.seed}\n`)
process.exitCode = await soak()

function readArguments(known) {
  try {
    const given = parseArgs(known)
    if (!given.values.help) return given
    process.stdout.write(USAGE)
    process.exit()
  } catch (failure) {
    process.stderr.write(`${failure.message}\n\n${USAGE}`)
    process.exit(2)
  }
}

async function soak() {
  const wantsFaults = !values.counts
  const wantsCounts = values.counts || values.rows === undefined
  const codes = [wantsFaults ? await runFaults() : 0, wantsCounts ? await runCounts() : 0]
  const losses =
    (wantsFaults ? printTable(report, values.rows?.split(',') ?? knownRows(root)) : 0) +
    (wantsCounts ? printPromises(promises) : 0)
  if (!wantsCounts) process.stdout.write('\nThe promises were not tried: `npm run soak -- --counts` tries them.\n')
  process.stdout.write(`\n${losses} losses, seed ${values.seed}\n`)
  if (!values.report) rmSync(report, { recursive: true, force: true })
  return codes.every((code) => code === 0) && losses === 0 ? 0 : 1
}

/** Every integration test that has a full count. */
async function runCounts() {
  const folder = join(root, 'tests/integration')
  const files = readdirSync(folder).filter(
    (name) =>
      (positionals.length === 0 || positionals.some((word) => name.includes(word))) &&
      readFileSync(join(folder, name), 'utf8').includes('harness/counts')
  )
  const projects = ['--project', 'integration', '--project', 'faults', '--no-file-parallelism']
  const paths = files.map((name) => join('tests/integration', name))
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${promises}`]
  return run(['vitest/vitest.mjs', 'run', ...projects, ...reporters, ...paths])
}

/** The suite in one vitest, then the faults of the page. */
async function runFaults() {
  const vitest = ['vitest/vitest.mjs', 'run', '--project', 'faults', 'tests/faults', '--no-file-parallelism']
  const page = ['@playwright/test/cli.js', 'test', 'pageFaults']
  const wantsPage = !values.rows || values.rows.split(',').some((row) => PAGE_ROWS.includes(row))
  const codes = [await run(vitest), wantsPage ? await run(page) : 0]
  return Math.max(...codes)
}

/** Whatever ends it, a signal too: nothing of it stays. */
async function run([script, ...args]) {
  const command = [process.execPath, join(root, 'node_modules', script), ...args]
  return (await runGroup({ command, limitMs: NO_LIMIT_MS }, { cwd: root, env: environment })).code
}
