import { expect, test } from 'vitest'
import { isOwnOrigin } from './ownOrigin'

const ORIGIN = 'http://127.0.0.1:7681'

test.each(['http://127.0.0.1:7681/', 'http://127.0.0.1:7681/?code=x#y'])('%s is the window’s own page', (address) => {
  expect(isOwnOrigin(address, ORIGIN)).toBe(true)
})

test.each([
  'http://127.0.0.1:7682/',
  'http://localhost:7681/',
  'https://127.0.0.1:7681/',
  'http://127.0.0.1:7681.example.org/',
  'http://127.0.0.1:7681@example.org/',
  'about:blank',
  'data:text/html,x',
  'file:///index.html',
  ''
])('"%s" is not', (address) => {
  expect(isOwnOrigin(address, ORIGIN)).toBe(false)
})
