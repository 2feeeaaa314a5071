const HEAD = ['what', 'product', 'limit', 'ratio', 'target', 'reached', 'runs', 'spread']

export function printTable(rows, skipped) {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  for (const line of lines) {
    const padded = line.map((cell, column) => cell.padEnd(widths[column]))
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`)
  }
  for (const { id, why } of skipped) process.stdout.write(`skipped: ${id}: ${why}\n`)
}

function cells({ name, unit, product, limit, ratio, target, reached, runs, spread }) {
  const figure = (value) => (value === undefined ? '–' : `${value} ${unit}`)
  return [
    name,
    figure(product),
    figure(limit),
    ratio === undefined ? '–' : String(ratio),
    targetText(target, unit),
    reached === undefined ? '–' : reached ? 'yes' : 'NO',
    String(runs),
    `±${Math.round(spread * 100)} %`
  ]
}

function targetText(target, unit) {
  if (!target) return '–'
  const sign = target.atLeast === undefined ? '≤' : '≥'
  return `${sign} ${target.atLeast ?? target.atMost}${target.of === 'ratio' ? '×' : ` ${unit}`}`
}

/** How far a figure may be from the baseline: twice what the runs differed by, and never less than the noise of a pty. */
const LEAST_TOLERANCE = 0.3

export function baselineOf(rows, before = {}) {
  const entries = rows.map((row) => {
    const tolerance = Math.max(LEAST_TOLERANCE, 2 * (row.spread + (row.limitSpread ?? 0)))
    const judged = figureOf(row)
    return [row.name, { ...judged, better: row.better, tolerance: Number(tolerance.toFixed(2)) }]
  })
  return { ...before, ...Object.fromEntries(entries) }
}

/** One line for each row that is worse than the baseline by more than its tolerance. */
export function regressions(rows, baseline) {
  return rows.flatMap((row) => {
    const stored = baseline[row.name]
    if (!stored) return []
    const { kind, value } = figureOf(row)
    const isWorse =
      stored.better === 'higher'
        ? value < stored.value * (1 - stored.tolerance)
        : value > stored.value * (1 + stored.tolerance) + (row.slack ?? 0)
    return isWorse ? [`${row.name}: ${kind} ${value}, the baseline is ${stored.value} ±${stored.tolerance}`] : []
  })
}

/** Ratios compare across machines; a row without a limit is compared as it is. */
function figureOf({ ratio, product }) {
  return ratio === undefined ? { kind: 'figure', value: product } : { kind: 'ratio', value: ratio }
}
