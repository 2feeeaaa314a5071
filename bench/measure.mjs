/** Runs limit and product in turn, so that a noisy machine disturbs both alike, and compares their medians. */
export async function measure({ name, unit, better, reach, limit, product }, runs) {
  const figures = { limit: [], product: [] }
  for (let run = 0; run < runs; run += 1) {
    figures.limit.push(await limit())
    figures.product.push(await product())
  }
  const [limitFigure, productFigure] = [median(figures.limit), median(figures.product)]
  return {
    name,
    unit,
    better,
    reach,
    product: round(productFigure),
    limit: round(limitFigure),
    ratio: round(productFigure / limitFigure),
    runs,
    spread: round(spread(figures.product))
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

// Distance between the quartiles, as a part of the median.
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return (at(0.75) - at(0.25)) / median(values)
}

function round(value) {
  return Number(value.toPrecision(4))
}
