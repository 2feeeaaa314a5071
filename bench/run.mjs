// `npm run bench`: measures the product beside the limit of this machine, interleaved, prints a table and writes
// bench/results.json.
//   --check        compares with bench/baseline.json and fails beyond its tolerance
//   --save         makes this run the baseline (of the rows that ran)
//   --rows a,b     only these scenarios
//   --quick        fewer runs and shorter loads: for development, not for figures to rely on
//   --product dir  measures another build than out/

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runQuietly } from '../scripts/children.mjs'
import { measure } from './measure.mjs'
import { baselineOf, printTable, regressions } from './report.mjs'
import { scenarios } from './scenarios.mjs'
import { makeWorld } from './world.mjs'

const RUNS = 7
const QUICK_RUNS = 3

const folder = dirname(fileURLToPath(import.meta.url))
const baselinePath = join(folder, 'baseline.json')
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean' },
    save: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    runs: { type: 'string' },
    product: { type: 'string' }
  }
})

const chosen = chooseScenarios(options.rows?.split(','))
if (!options.product && (await runQuietly(join(folder, '../scripts/build.mjs'), ['--if-stale'])) !== 0) process.exit(1)
warnIfBusy()
const { rows, skipped, failed } = await measureAll()
writeFileSync(
  join(folder, 'results.json'),
  `${JSON.stringify({ machine: machine(), rows, skipped, failed }, null, 2)}\n`
)
printTable(rows, skipped)
for (const { id, why } of failed) process.stderr.write(`bench: ${id} failed: ${why}\n`)
if (failed.length > 0) process.exitCode = 1
if (options.save) save()
if (options.check) check()

function chooseScenarios(ids) {
  const unknown = ids?.filter((id) => !scenarios.some((scenario) => scenario.id === id)) ?? []
  if (unknown.length === 0) return scenarios.filter(({ id }) => !ids || ids.includes(id))
  process.stderr.write(
    `bench: no row "${unknown.join('", "')}"; there are ${scenarios.map(({ id }) => id).join(', ')}\n`
  )
  process.exit(2)
}

async function measureAll() {
  const world = makeWorld({ quick: options.quick, product: options.product })
  const measured = { rows: [], skipped: [], failed: [] }
  const stop = () => world.remove().finally(() => process.exit(130))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    for (const scenario of chosen) {
      await measureOne(scenario, world, measured).catch((failure) => {
        measured.failed.push({ id: scenario.id, why: failure.stack })
      })
    }
    return measured
  } finally {
    await world.remove()
  }
}

async function measureOne({ id, open, runs: ownRuns }, world, measured) {
  const began = performance.now()
  const scenario = await open(world)
  if (scenario.skip) {
    measured.skipped.push({ id, why: scenario.skip })
    return
  }
  try {
    const runs = Number(ownRuns ?? options.runs ?? (options.quick ? QUICK_RUNS : RUNS))
    measured.rows.push(...(await measure(scenario, runs)))
  } finally {
    await scenario.close?.()
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  process.stderr.write(`bench: ${id} took ${seconds} s (load ${loadavg()[0].toFixed(1)})\n`)
}

// Limit and product are disturbed alike only in part: what needs more processor time loses more of it to others.
function warnIfBusy() {
  const [load] = loadavg()
  if (load < cpus().length / 2) return
  process.stderr.write(`bench: the machine is busy (load ${load.toFixed(1)}): the product looks worse than it is\n`)
}

function machine() {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release()}`,
    node: process.version,
    load: loadavg().map((value) => Number(value.toFixed(2)))
  }
}

function readBaseline() {
  return existsSync(baselinePath) ? JSON.parse(readFileSync(baselinePath, 'utf8')) : {}
}

function save() {
  writeFileSync(baselinePath, `${JSON.stringify(baselineOf(rows, readBaseline()), null, 2)}\n`)
}

function check() {
  const baseline = readBaseline()
  const problems = regressions(rows, baseline)
  if (Object.keys(baseline).length === 0) problems.push('there is no baseline yet; npm run bench -- --save makes one')
  for (const problem of problems) process.stderr.write(`bench: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
