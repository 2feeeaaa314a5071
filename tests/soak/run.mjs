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
const code = await run()
const losses = printTable(report)
if (!values.report) rmSync(report, { recursive: true, force: true })
process.exitCode = code === 0 && losses === 0 ? 0 : 1

/** The suite in one vitest; a signal ends it like a test that hangs, so nothing of it stays. */
function run() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'integration', 'tests/faults'], {
    cwd: root,
    env: environment,
    stdio: 'inherit'
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('close', resolve))
}
