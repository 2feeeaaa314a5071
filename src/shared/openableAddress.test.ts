import { expect, test } from 'vitest'
import { openableAddress } from './openableAddress'

test.each(['http://127.0.0.1:8080/a?b=c', 'https://example.org/', 'HTTPS://EXAMPLE.ORG'])(
  '%s may be opened',
  (text) => {
    expect(openableAddress(text)).toBe(new URL(text).href)
  }
)

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'vscode://file/x',
  'ms-msdt:/id',
  'ssh://host',
  'blob:http://127.0.0.1/x',
  'example.org',
  '//example.org',
  ''
])('"%s" is not opened', (text) => {
  expect(openableAddress(text)).toBeUndefined()
})
