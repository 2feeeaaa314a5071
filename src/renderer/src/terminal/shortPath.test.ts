import { expect, test } from 'vitest'
import { shortPath } from './shortPath'

test('what lies in the home directory begins with ~, and nothing else does', () => {
  expect(shortPath('/home/ann', '/home/ann')).toBe('~')
  expect(shortPath('/home/ann/code/app', '/home/ann')).toBe('~/code/app')
  expect(shortPath('/home/anna/code', '/home/ann')).toBe('/home/anna/code')
  expect(shortPath('/etc', '/')).toBe('/etc')
  expect(shortPath('/etc', undefined)).toBe('/etc')
})
