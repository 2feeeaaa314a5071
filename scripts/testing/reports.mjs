import { existsSync, readFileSync } from 'node:fs'

/** What vitest said: its counts, and the files in which something failed. Undefined when it said nothing. */
export function vitestReport(path) {
  const report = read(path)
  if (!report) return undefined
  const results = report.testResults.flatMap((file) => file.assertionResults.map(({ status }) => status))
  const failedFiles = report.testResults.filter((file) => file.status === 'failed')
  // A file that could not even be loaded has no results of its own.
  const broken = failedFiles.filter((file) => file.assertionResults.length === 0)
  const failures = failedFiles.flatMap((file) => [
    ...file.assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ...(file.assertionResults.length === 0 ? [`${file.name} could not be loaded`] : [])
  ])
  return {
    passed: results.filter((status) => status === 'passed').length,
    failed: results.filter((status) => status === 'failed').length + broken.length,
    skipped: results.filter((status) => !['passed', 'failed'].includes(status)).length,
    failedFiles: failedFiles.map(({ name }) => name),
    failures
  }
}

/** The same of the browser tests. */
export function playwrightReport(path) {
  const report = read(path)
  if (!report?.stats) return undefined
  const { stats } = report
  // `ok` is that of the first carrier alone.
  const unexpected = (report.suites ?? []).flatMap(specsOf).filter((spec) => failedTests(spec).length > 0)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failedFiles: [...new Set(unexpected.map(({ file }) => file))],
    failures: unexpected.flatMap(failuresOf)
  }
}

/** A spec runs on several carriers; each failure is named with its own. */
function failuresOf({ file, title, tests }) {
  return failedTests({ tests }).map(({ projectName }) => `${file} [${projectName}]: ${title}`)
}

function failedTests({ tests }) {
  return tests.filter(({ status }) => status === 'unexpected')
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
