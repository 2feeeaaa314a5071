import type { Settings } from '../../../shared/settings'
import { settingValues, useSettings } from '../stores/settings'
import { paletteTheme } from './palettes'
import { SYSTEM_QUERIES, type Theme, themeOf } from './theme'

const listeners = new Set<() => void>()

/** The theme the page has now. */
export function currentTheme(): Theme {
  return themeOf(settingValues().theme, {
    dark: matchMedia(SYSTEM_QUERIES.dark).matches,
    contrast: matchMedia(SYSTEM_QUERIES.contrast).matches
  })
}

/** Calls back after the page's looks or any other setting changed. */
export function onAppearanceChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Dresses the page as the settings and the system want it, now and whenever either changes. */
export function followAppearance(): void {
  for (const query of Object.values(SYSTEM_QUERIES)) matchMedia(query).addEventListener('change', dress)
  useSettings.subscribe(({ values }, before) => {
    if (values !== before.values) dress()
  })
  dress()
}

/** Tells all that depend on the looks to look again. */
export function appearanceChanged(): void {
  for (const listener of listeners) listener()
}

function dress(): void {
  const page = document.documentElement
  page.dataset.theme = currentTheme()
  setFonts(page.style, settingValues())
  setScreen(page, settingValues())
  appearanceChanged()
}

// Without a property of its own the style sheet's is in force.
function setFonts(style: CSSStyleDeclaration, { ui_font_family, ui_font_size }: Settings): void {
  style.setProperty('--ui-font', ui_font_family === '' ? '' : `${ui_font_family}, var(--bundled-ui-font)`)
  style.setProperty('--ui-size', `${ui_font_size}px`)
}

/** Terminals with colours of their own: tab and header, which are one surface with them, follow. */
function setScreen(page: HTMLElement, { terminal_theme }: Settings): void {
  const palette = terminal_theme === 'match' ? undefined : paletteTheme(terminal_theme)
  page.style.setProperty('--screen-bg', palette?.theme.background ?? '')
  if (palette) page.dataset.screen = palette.isLight ? 'light' : 'dark'
  else delete page.dataset.screen
}
