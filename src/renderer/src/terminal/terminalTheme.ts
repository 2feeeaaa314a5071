import type { ITerminalOptions, ITheme } from '@xterm/xterm'
import { currentTheme } from '../appearance/appearance'
import { ansiColours, paletteTheme } from '../appearance/palettes'
import { isScreenReaderReported } from '../appearance/screenReader'
import { contrastFloor } from '../appearance/theme'
import { zoomedFontSize } from '../appearance/windowZoom'
import { settingValues } from '../stores/settings'

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const SMOOTH_SCROLL_MS = 120

/** The emulator's colours and contrast floor for the theme of this moment. */
export function terminalTheme(): { theme: ITheme; minimumContrastRatio: number } {
  const { terminal_theme, minimum_contrast } = settingValues()
  const { theme, floor } = terminal_theme === 'match' ? pageTheme() : namedTheme(terminal_theme)
  return { theme, minimumContrastRatio: minimum_contrast === 0 ? floor : minimum_contrast }
}

/** Everything about the emulator that settings decide. */
export function terminalOptions(): ITerminalOptions {
  const values = settingValues()
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    fontFamily: `${values.font_family === '' ? '' : `${values.font_family}, `}${cssValue('mono-font')}`,
    fontSize: zoomedFontSize(),
    lineHeight: values.line_height,
    cursorStyle: values.cursor_style,
    cursorBlink: values.cursor_blink && !isStill,
    scrollback: values.scrollback_limit,
    smoothScrollDuration: values.smooth_scroll && !isStill ? SMOOTH_SCROLL_MS : 0,
    screenReaderMode: isScreenReaderMode(),
    ...terminalTheme()
  }
}

export function isScreenReaderMode(): boolean {
  const { screen_reader_mode: mode } = settingValues()
  return mode === 'on' || (mode === 'auto' && isScreenReaderReported())
}

function namedTheme(name: Parameters<typeof paletteTheme>[0]): { theme: ITheme; floor: number } {
  const { theme, isLight } = paletteTheme(name)
  return { theme, floor: contrastFloor(isLight ? 'light' : 'dark') }
}

/** Read from the page's one colour file. */
function pageTheme(): { theme: ITheme; floor: number } {
  const theme: ITheme = {
    background: cssValue('terminal-bg'),
    foreground: cssValue('terminal-text'),
    cursor: cssValue('terminal-cursor'),
    cursorAccent: cssValue('terminal-bg'),
    selectionBackground: cssValue('terminal-selection'),
    scrollbarSliderBackground: cssValue('terminal-scrollbar'),
    scrollbarSliderHoverBackground: cssValue('terminal-scrollbar-hover'),
    scrollbarSliderActiveBackground: cssValue('terminal-scrollbar-hover'),
    overviewRulerBorder: cssValue('terminal-bg'),
    ...ansiColours(['ansi-', 'ansi-bright-'].flatMap((kind) => ANSI.map((name) => cssValue(`${kind}${name}`))))
  }
  return { theme, floor: contrastFloor(currentTheme()) }
}

function cssValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}
