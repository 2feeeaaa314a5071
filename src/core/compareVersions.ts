/** Below 0 when `a` is older than `b`, above 0 when newer. A pre-release is older than its release; the rest is text. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)]
  for (const [index, number] of first.numbers.entries()) {
    const difference = number - (second.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (first.preRelease === second.preRelease) return 0
  if (first.preRelease === '') return 1
  if (second.preRelease === '') return -1
  return first.preRelease.localeCompare(second.preRelease, 'en', { numeric: true })
}

function partsOf(version: string): { numbers: number[]; preRelease: string } {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-')
  const numbers = core.split('.').map((part) => Number.parseInt(part, 10) || 0)
  return { numbers: [0, 1, 2].map((index) => numbers[index] ?? 0), preRelease: rest.join('-') }
}
