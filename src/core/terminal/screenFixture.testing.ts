import { afterEach } from 'vitest'
import type { RememberedModes } from '../backends/backend'
import { silentLog } from '../log'
import { Emulation } from './emulation'
import { Screen } from './screen'
import type { ScreenOptions } from './screenOptions'

export const SIZE = { rows: 6, cols: 20 }
export const NO_MODES: RememberedModes = { bracketedPaste: false, focusReporting: false, cursorShape: 0 }

const screens: Screen[] = []

/** For tests: a small screen that is disposed of after the test. */
export function newScreen(options: Partial<ScreenOptions> = {}): Screen {
  const screen = new Screen({
    size: SIZE,
    scrollback: 200,
    offset: 0,
    emulation: new Emulation(),
    log: silentLog,
    onTitle: () => undefined,
    onModes: () => undefined,
    onBehind: async () => undefined,
    onNotRestored: () => undefined,
    isResyncLossy: false,
    ...options
  })
  screens.push(screen)
  return screen
}

afterEach(() => {
  for (const screen of screens.splice(0)) screen.dispose()
})
