import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MINUTE_MS = 60_000

/** Where the fault suite writes what it injected: not beside the other reports, which the browser tests clear. */
export function faultReports(root) {
  return join(root, '.cache/faults')
}

/** Every part of the test run: what to run, how long it may take, and where its own count of results is read from. */
export function parts(root, reports) {
  const bin = (path) => [process.execPath, join(root, 'node_modules', path)]
  const vitest = (project) => ({
    name: project,
    command: [
      ...bin('vitest/vitest.mjs'),
      ...['run', '--project', project, '--reporter=default', '--reporter=json'],
      `--outputFile.json=${join(reports, `${project}.json`)}`
    ],
    count: () => countVitest(join(reports, `${project}.json`))
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
    {
      ...vitest('integration'),
      env: { TANDEM_FAULT_REPORT: faultReports(root) },
      limitMs: 19 * MINUTE_MS
    },
    {
      name: 'e2e',
      command: [...bin('@playwright/test/cli.js'), 'test', '--reporter=list,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
      count: () => countPlaywright(join(reports, 'e2e.json')),
      limitMs: 6 * MINUTE_MS
    }
  ]
}

function countVitest(path) {
  const report = read(path)
  if (!report) return undefined
  const results = report.testResults.flatMap((file) => file.assertionResults.map(({ status }) => status))
  // A file that could not even be loaded has no results of its own.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: results.filter((status) => status === 'passed').length,
    failed: results.filter((status) => status === 'failed').length + broken.length,
    skipped: results.filter((status) => !['passed', 'failed'].includes(status)).length
  }
}

function countPlaywright(path) {
  const stats = read(path)?.stats
  return stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
