/**
 * Runs limit and product in turn, so that a noisy machine disturbs both alike, and compares their medians. A scenario
 * answers each run with one figure per row.
 */
export async function measure({ rows, limit, product, both }, runs) {
  const seen = { limit: [], product: [], points: {} }
  for (let run = 0; run < runs; run += 1) {
    // The one that goes first changes, so that neither always finds the machine as the other left it.
    const turns = [async () => limit && seen.limit.push(await limit()), async () => seen.product.push(await product())]
    if (both) await together(both, seen)
    else for (const turn of run % 2 ? turns.reverse() : turns) await turn()
  }
  return rows.map((row) => summarise(row, seen))
}

/** Some figures come from one sweep; what it saw on the way is kept with the rows. */
async function together(both, seen) {
  const { limit, product, points } = await both()
  seen.limit.push(limit)
  seen.product.push(product)
  seen.points = points
}

/** For limits that are compared with each other too: each way once a run, and the one that goes first changes. */
export function inTurn(ways, compare) {
  let order = Object.keys(ways)
  return async () => {
    const seen = {}
    for (const way of order) seen[way] = await ways[way]()
    order = [...order.slice(1), ...order.slice(0, 1)]
    return { points: {}, ...compare(seen) }
  }
}

function summarise({ key, ...row }, seen) {
  const products = seen.product.map((figures) => figures[key])
  const limits = seen.limit.map((figures) => figures[key]).filter((figure) => figure !== undefined)
  const product = median(products)
  const limit = limits.length > 0 ? median(limits) : undefined
  const ratio = limit ? product / limit : undefined
  return {
    ...row,
    product: round(product),
    limit: round(limit),
    ratio: round(ratio),
    points: seen.points[key],
    reached: isReached(row, product, ratio),
    runs: products.length,
    spread: round(spread(products)),
    limitSpread: round(limits.length > 0 ? spread(limits) : undefined)
  }
}

/** Whether the figure the row is judged by is at least, or at most, what it should be. */
function isReached({ target }, product, ratio) {
  if (!target) return undefined
  const figure = target.of === 'ratio' ? ratio : product
  return target.atLeast === undefined ? figure <= target.atMost : figure >= target.atLeast
}

export function median(values) {
  return percentile(values, 50)
}

export function percentile(values, percent) {
  const sorted = [...values].sort((one, other) => one - other)
  const place = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}

/** Half the distance between the quartiles, as a part of the median. */
function spread(values) {
  const middle = median(values)
  if (middle === 0) return 0
  return (percentile(values, 75) - percentile(values, 25)) / 2 / middle
}

function round(value) {
  return value === undefined ? undefined : Number(value.toPrecision(4))
}
