import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Every row that some test injects. */
export function knownRows(root) {
  const folders = [join(root, 'tests/faults'), join(root, 'tests/e2e')]
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  )
  const rows = texts.flatMap((text) => [...text.matchAll(/\b(?:id|row): '(B\d+)'/g)].map(([, row]) => row))
  return [...new Set(rows)].sort(byNumber)
}

/**
 * Prints one line per fault from the reports in a folder: row, rounds, losses. Returns the number of losses; a row that
 * was wanted and left no report is one.
 */
export function printTable(folder, wanted) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const entries = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  entries.sort((one, other) => byNumber(one.row, other.row))
  process.stdout.write('\n row  place  rounds  losses  fault\n')
  for (const entry of entries) process.stdout.write(` ${lineOf(entry)}\n`)
  const silent = wanted.filter((row) => !entries.some((entry) => entry.row === row))
  const losses = [...entries.flatMap((entry) => entry.losses), ...silent.map((row) => `${row} left no report`)]
  for (const loss of losses) process.stdout.write(`\n${loss}\n`)
  return losses.length
}

function byNumber(one, other) {
  return Number(one.slice(1)) - Number(other.slice(1))
}

function lineOf({ row, fault, place, rounds, losses, notes, missing }) {
  const head = `${row.padEnd(4)} ${place.padEnd(5)}`
  if (missing !== undefined) return `${head} ${'-'.padStart(7)} ${'-'.padStart(7)}  ${fault} (not injected: ${missing})`
  return `${head} ${String(rounds).padStart(7)} ${String(losses.length).padStart(7)}  ${fault} (${factsOf(notes)})`
}

function factsOf(notes) {
  return Object.entries(notes)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** Prints one line per promise from a report of vitest: its file, seconds, and whether it held. Returns how many did not. */
export function printPromises(report) {
  if (!existsSync(report)) {
    process.stdout.write('\nThe promises left no report: their run was broken off.\n')
    return 1
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  process.stdout.write('\n seconds  losses  promise (full counts)\n')
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0
  )
  const all = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((one) => ({ ...one, file: name }))
  )
  for (const promise of all) process.stdout.write(` ${promiseLine(promise)}\n`)
  const failed = all.filter(({ status }) => status === 'failed')
  for (const { fullName, failureMessages } of failed)
    process.stdout.write(`\n${fullName}: ${failureMessages.join('\n')}\n`)
  for (const { name, message } of broken) process.stdout.write(`\n${name} could not be loaded: ${message}\n`)
  return failed.length + broken.length
}

function promiseLine({ file, fullName, status, duration, meta }) {
  const seconds = String(Math.round((duration ?? 0) / 1000)).padStart(7)
  const losses = { passed: '0', failed: '1' }[status] ?? '-'
  const why = status === 'passed' || status === 'failed' ? '' : ' (not tried)'
  const facts = meta?.figures ? ` (${factsOf(meta.figures)})` : ''
  return `${seconds} ${losses.padStart(7)}  ${basename(file, '.test.ts')}: ${fullName}${facts}${why}`
}
