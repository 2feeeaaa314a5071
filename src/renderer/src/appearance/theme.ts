import type { Settings } from '../../../shared/settings'

export type Theme = 'light' | 'dark' | 'light-contrast' | 'dark-contrast'

export const SYSTEM_QUERIES = { dark: '(prefers-color-scheme: dark)', contrast: '(prefers-contrast: more)' }

/** The theme that a setting means on a system that wants this. */
export function themeOf(setting: Settings['theme'], system: { dark: boolean; contrast: boolean }): Theme {
  if (setting !== 'system') return setting
  const scheme = system.dark ? 'dark' : 'light'
  return system.contrast ? `${scheme}-contrast` : scheme
}

/** Programs choose colours for dark screens; on other themes theirs are changed until they can be read. */
export function contrastFloor(theme: Theme): number {
  if (theme === 'light') return 4.5
  return theme === 'dark' ? 1 : 7
}
