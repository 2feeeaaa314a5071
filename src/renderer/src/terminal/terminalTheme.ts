import type { ITheme } from '@xterm/xterm'

const ANSI_NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const DARK_SCHEME = '(prefers-color-scheme: dark)'

/** The emulator's colours and contrast floor for the scheme of this moment, read from the page's one colour file. */
export function terminalTheme(): { theme: ITheme; minimumContrastRatio: number } {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const ansi = ANSI_NAMES.flatMap((name) => [
    [name, colour(`ansi-${name}`)],
    [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, colour(`ansi-bright-${name}`)]
  ])
  const theme: ITheme = {
    background: colour('terminal-bg'),
    foreground: colour('terminal-text'),
    cursor: colour('terminal-cursor'),
    cursorAccent: colour('terminal-bg'),
    selectionBackground: colour('terminal-selection'),
    scrollbarSliderBackground: colour('terminal-scrollbar'),
    scrollbarSliderHoverBackground: colour('terminal-scrollbar-hover'),
    scrollbarSliderActiveBackground: colour('terminal-scrollbar-hover'),
    ...Object.fromEntries(ansi)
  }
  // Programs choose their colours for dark screens: on a light one they are darkened until they can be read.
  return { theme, minimumContrastRatio: matchMedia(DARK_SCHEME).matches ? 1 : 4.5 }
}

/** Calls back when the system changes between light and dark. */
export function onSchemeChange(listener: () => void): () => void {
  const query = matchMedia(DARK_SCHEME)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
