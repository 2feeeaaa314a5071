import type { Settings } from '../../../shared/settings'
import { settingValues, useSettings } from '../stores/settings'
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
  appearanceChanged()
}

// Without a property of its own the style sheet's is in force.
function setFonts(style: CSSStyleDeclaration, { ui_font_family, ui_font_size }: Settings): void {
  style.setProperty('--ui-font', ui_font_family === '' ? '' : `${ui_font_family}, var(--bundled-ui-font)`)
  style.setProperty('--ui-size', `${ui_font_size}px`)
}
