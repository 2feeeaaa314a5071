// `npm run bench`: measures the product beside the limit of this machine, interleaved, and prints the ratios. `--check` compares
// them with bench/baseline.json and fails beyond its tolerance; `--save` makes this run the baseline.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from '../scripts/children.mjs'
import { measure } from './measure.mjs'
import { startRow } from './start.mjs'
import { throughputRow } from './throughput.mjs'
import { makeWorld } from './world.mjs'

const RUNS = 7
const TOLERANCE = 0.3
const ROWS = [startRow, throughputRow]

const folder = dirname(fileURLToPath(import.meta.url))
const baselinePath = join(folder, 'baseline.json')

if ((await runQuietly(join(folder, '../scripts/build.mjs'), ['--if-stale'])) !== 0) process.exit(1)
const results = await measureAll()
writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ results }, null, 2)}\n`)
print(results)
if (process.argv.includes('--save')) writeFileSync(baselinePath, `${JSON.stringify(baselineOf(results), null, 2)}\n`)
if (process.argv.includes('--check')) compare(results)

async function measureAll() {
  const world = makeWorld()
  try {
    const measured = []
    for (const makeRow of ROWS) {
      const row = await makeRow(world)
      try {
        measured.push(await measure(row, RUNS))
      } finally {
        await row.close?.()
      }
    }
    return measured
  } finally {
    world.remove()
  }
}

function print(rows) {
  const head = ['what', 'product', 'limit', 'ratio', 'spread', 'reach']
  const lines = rows.map((row) => [
    row.name,
    `${row.product} ${row.unit}`,
    `${row.limit} ${row.unit}`,
    row.ratio,
    row.spread,
    row.reach
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => String(line[column]).length)))
  for (const line of [head, ...lines]) {
    process.stdout.write(
      `${line
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd()}\n`
    )
  }
}

function baselineOf(rows) {
  return Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio]))
}

function compare(rows) {
  if (!existsSync(baselinePath)) {
    process.stderr.write('bench: there is no baseline yet; npm run bench -- --save makes one\n')
    process.exitCode = 1
    return
  }
  const baseline = JSON.parse(readFileSync(baselinePath, 'utf8'))
  for (const { name, ratio, better } of rows) {
    const stored = baseline[name]
    if (stored === undefined) continue
    const worse = better === 'higher' ? ratio < stored * (1 - TOLERANCE) : ratio > stored * (1 + TOLERANCE)
    if (!worse) continue
    process.stderr.write(`bench: ${name}: ratio ${ratio}, the baseline is ${stored}\n`)
    process.exitCode = 1
  }
}
