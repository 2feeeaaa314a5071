import { expect, test } from 'vitest'
import { compareVersions } from './compareVersions'

test('versions are compared by number, and a pre-release comes before its release', () => {
  const inOrder = ['0.0.9', '0.1.0-beta.2', '0.1.0-beta.10', '0.1.0', '0.1.1', '0.9.0', '0.10.0', '1.0.0', '2.0']
  for (const [index, version] of inOrder.entries()) {
    for (const [other, later] of inOrder.entries()) {
      expect(Math.sign(compareVersions(version, later))).toBe(Math.sign(index - other))
    }
  }
  expect(compareVersions('1.2.3+build.7', '1.2.3')).toBe(0)
})
