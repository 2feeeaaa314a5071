import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSettings } from '../stores/settings'
import { terminalOptions } from './terminalTheme'

let wantsStillness = false
const before = useSettings.getState()

beforeEach(() => {
  wantsStillness = false
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: wantsStillness && query.includes('reduced-motion') }))
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' }))
})
afterEach(() => {
  useSettings.setState(before)
  vi.unstubAllGlobals()
})

test('terminals glide and their cursors blink when the settings say so, unless the system wants no motion', () => {
  expect(terminalOptions()).toMatchObject({ smoothScrollDuration: 0, cursorBlink: false })
  useSettings.setState({ values: { ...before.values, smooth_scroll: true, cursor_blink: true } })
  expect(terminalOptions()).toMatchObject({ smoothScrollDuration: 120, cursorBlink: true })
  wantsStillness = true
  expect(terminalOptions()).toMatchObject({ smoothScrollDuration: 0, cursorBlink: false })
})
