// `npm run soak -- [--minutes N] [--seed N] [--rows B1,B2]`: the fault suite with its full counts, and a table at the end.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printTable } from './table.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rows: { type: 'string' },
    report: { type: 'string' }
  }
})
const report = values.report ?? mkdtempSync(join(tmpdir(), 'tandem-soak-'))
const environment = {
  ...process.env,
  TANDEM_FAULT_SCALE: 'full',
  TANDEM_FAULT_SEED: values.seed,
  TANDEM_FAULT_REPORT: report,
  ...(values.rows ? { TANDEM_FAULT_ROWS: values.rows } : {}),
  ...(values.minutes ? { TANDEM_FAULT_MINUTES: values.minutes } : {})
}
process.stdout.write(`seed ${values.seed}\n`)
const code = await runAll()
const losses = printTable(report)
if (!values.report) rmSync(report, { recursive: true, force: true })
process.exitCode = code === 0 && losses === 0 ? 0 : 1

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
