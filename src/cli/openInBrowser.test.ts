import { expect, test } from 'vitest'
import { browserOpener } from './openInBrowser'

const URL_WITH_CODE = 'http://127.0.0.1:7681/?code=abc_-1'

test('on macOS the address is on no command line', () => {
  const { command, input } = browserOpener(URL_WITH_CODE, 'darwin')
  expect(command.join(' ')).not.toContain('abc_-1')
  expect(input).toBe(`open location "${URL_WITH_CODE}"\n`)
})

test('elsewhere the address is the one argument of the opener', () => {
  expect(browserOpener(URL_WITH_CODE, 'linux').command).toEqual(['xdg-open', URL_WITH_CODE])
})
