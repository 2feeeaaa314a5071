import { expect, test } from 'vitest'
import { AppError } from '../../../shared/errors'
import { parseVersion, requireVersion } from './tmuxVersion'

test('releases, letters, previews and development builds are read', () => {
  expect(parseVersion('tmux 3.3a\n')).toMatchObject({ text: '3.3a', major: 3, minor: 3 })
  expect(parseVersion('tmux next-3.6')).toMatchObject({ major: 3, minor: 6 })
  expect(parseVersion('tmux 3.5-rc2')).toMatchObject({ major: 3, minor: 5 })
  expect(requireVersion('tmux master').text).toBe('master')
  expect(parseVersion('garbage')).toBeUndefined()
})

test('what is too old or unreadable is named in the refusal', () => {
  for (const output of ['tmux 3.2a', 'tmux 2.9', 'tmux 1.8', 'garbage']) {
    expect(() => requireVersion(output)).toThrow(AppError)
    expect(() => requireVersion(output)).toThrow(output.replace('tmux ', ''))
  }
  for (const output of ['tmux 3.3', 'tmux 3.10', 'tmux 4.0']) expect(requireVersion(output)).toBeDefined()
})
