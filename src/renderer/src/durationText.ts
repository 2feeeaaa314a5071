const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long something took, as short as it stays exact enough: `340 ms`, `12.4 s`, `2 m 14 s`, `3 h 5 m`, `2 d 1 h`. */
export function durationText(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`
  // Tenths are cut, not rounded: 59.99 seconds are not a minute yet.
  if (durationMs < MINUTE_MS) return `${Math.floor(durationMs / 100) / 10} s`
  if (durationMs < HOUR_MS) return twoUnits(durationMs, [MINUTE_MS, 'm'], [SECOND_MS, 's'])
  if (durationMs < DAY_MS) return twoUnits(durationMs, [HOUR_MS, 'h'], [MINUTE_MS, 'm'])
  return twoUnits(durationMs, [DAY_MS, 'd'], [HOUR_MS, 'h'])
}

type Unit = readonly [lengthMs: number, sign: string]

function twoUnits(durationMs: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  return `${Math.floor(durationMs / largeMs)} ${large} ${Math.floor((durationMs % largeMs) / smallMs)} ${small}`
}
