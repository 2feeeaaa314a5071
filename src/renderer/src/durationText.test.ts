import { expect, test } from 'vitest'
import { durationText } from './durationText'

test.each([
  [0, '0 ms'],
  [340.4, '340 ms'],
  [12_449, '12.4 s'],
  [59_999, '59.9 s'],
  [134_000, '2 m 14 s'],
  [11_100_000, '3 h 5 m'],
  [176_400_000, '2 d 1 h']
])('%d milliseconds are said as “%s”', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text)
})
