import { join } from 'node:path'
import { playwrightReport, vitestReport } from './reports.mjs'

const MINUTE_MS = 60_000

/** Where the fault suite writes what it injected: not beside the other reports, which the browser tests clear. */
export function faultReports(root) {
  return join(root, '.cache/faults')
}

/**
 * Every part of the test run: what to run, how long it may take, and where its own results are read from. `again` is how
 * some of its files are run once more, alone.
 */
export function parts(root, reports) {
  const bin = (path) => [process.execPath, join(root, 'node_modules', path)]
  const vitest = (project, flags = []) => {
    const run = (report, more) => ({
      command: [
        ...bin('vitest/vitest.mjs'),
        ...['run', '--project', project, '--reporter=default', '--reporter=json', ...more],
        `--outputFile.json=${report}`
      ],
      report: () => vitestReport(report)
    })
    const alone = (files) => run(join(reports, `${project}-again.json`), ['--no-file-parallelism', ...files])
    return { name: project, ...run(join(reports, `${project}.json`), flags), again: alone }
  }
  const playwright = (report, more, env = {}) => ({
    command: [...bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...more],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, TANDEM_FAULT_REPORT: faultReports(root), ...env },
    report: () => playwrightReport(report)
  })
  return [
    { name: 'types', command: [...bin('typescript/bin/tsc'), '-b'], limitMs: 3 * MINUTE_MS },
    {
      name: 'lint',
      command: [...bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
      limitMs: MINUTE_MS
    },
    { name: 'gen', command: [process.execPath, join(root, 'scripts/gen.mjs'), '--check'], limitMs: MINUTE_MS },
    { ...vitest('unit'), limitMs: 5 * MINUTE_MS },
    { ...vitest('integration', ['--maxWorkers=3']), limitMs: 25 * MINUTE_MS },
    {
      ...vitest('faults', ['--no-file-parallelism']),
      env: { TANDEM_FAULT_REPORT: faultReports(root) },
      limitMs: 25 * MINUTE_MS
    },
    {
      name: 'e2e',
      ...playwright(join(reports, 'e2e.json'), ['--workers=2']),
      // The runner clears the folder of its traces at its start, and that is where the first report lies.
      again: (files) =>
        playwright(join(root, '.cache/e2e-again.json'), ['--workers=1', ...files], { TANDEM_TRACES: 'on' }),
      limitMs: 30 * MINUTE_MS
    }
  ]
}
