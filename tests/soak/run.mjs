// `npm run soak -- [--minutes N] [--seed N] [--rows B1,B2]`: the fault suite with its full counts, and a table at the end.
// `npm run soak -- --counts [words]`: the promises that are tried many times, with their full counts; of all, or of the files
// whose names hold one of the words.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printTable } from './table.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rows: { type: 'string' },
    report: { type: 'string' },
    counts: { type: 'boolean', default: false }
  },
  allowPositionals: true
})
const report = values.counts ? '' : (values.report ?? mkdtempSync(join(tmpdir(), 'tandem-soak-')))
const environment = {
  ...process.env,
  TANDEM_FAULT_SCALE: 'full',
  TANDEM_COUNTS: 'full',
  TANDEM_FAULT_SEED: values.seed,
  TANDEM_FAULT_REPORT: report,
  ...(values.rows ? { TANDEM_FAULT_ROWS: values.rows } : {}),
  ...(values.minutes ? { TANDEM_FAULT_MINUTES: values.minutes } : {})
}
process.stdout.write(`seed ${values.seed}\n`)
process.exitCode = values.counts ? await runCounts() : await runFaults()

async function runFaults() {
  const code = await runAll()
  const losses = printTable(report)
  if (!values.report) rmSync(report, { recursive: true, force: true })
  return code === 0 && losses === 0 ? 0 : 1
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
  return run(['vitest/vitest.mjs', 'run', ...projects, ...paths])
}

/** The suite in one vitest, then the faults of the page. */
async function runAll() {
  const vitest = ['vitest/vitest.mjs', 'run', '--project', 'faults', 'tests/faults', '--no-file-parallelism']
  const page = ['@playwright/test/cli.js', 'test', 'pageFaults']
  const wantsPage = !values.rows || values.rows.split(',').includes('B26')
  const codes = [await run(vitest), wantsPage ? await run(page) : 0]
  return Math.max(...codes)
}

/** A signal ends it like a test that hangs, so nothing of it stays. */
function run([script, ...args]) {
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env: environment,
    stdio: 'inherit'
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
