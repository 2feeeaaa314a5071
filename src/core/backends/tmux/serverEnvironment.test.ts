import { expect, test } from 'vitest'
import { serverEnvironment } from './serverEnvironment'

test('only names on the list reach tmux, and it always runs in UTF-8', () => {
  const environment = { HOME: '/h', LC_ALL: 'de_DE.UTF-8', GITHUB_TOKEN: 'x', TMUX: 'y', NODE_OPTIONS: 'z', LANG: '' }
  expect(serverEnvironment(environment)).toEqual({
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/h',
    LC_ALL: 'de_DE.UTF-8'
  })
})
