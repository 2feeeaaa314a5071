import { type ActionId, actionOf } from '../../../shared/actions'
import { type KeyPlace, showChord } from '../../../shared/keys'
import { type Keymap, keymapOf, type OwnShortcuts } from '../../../shared/shortcuts'
import { settingValues } from '../stores/settings'
import { strings } from '../strings'

/** Where this page runs: its preload says whether a desktop window holds it. */
export function keyPlace(): KeyPlace {
  return {
    system: navigator.platform.startsWith('Mac') ? 'mac' : 'linux',
    shell: window.desktop ? 'desktop' : 'browser'
  }
}

/** The keys of an action as this page's person presses them, or nothing. */
export function shortcutText(id: ActionId): string {
  const [chord] = keysOf(id)
  return chord === undefined ? '' : showChord(chord, keyPlace().system)
}

/** The keys of an action on this page, with those that the person gave it. */
export function keysOf(id: ActionId): readonly string[] {
  const own = settingValues().shortcuts
  if (latest?.own !== own) latest = { own, map: keymapOf(keyPlace(), own) }
  return latest.map[id]
}

// Made anew when the settings change, not with every key.
let latest: { own: OwnShortcuts; map: Keymap } | undefined

/** An action's title with its keys, for a tooltip. */
export function titleWithKeys(id: ActionId, title: string = actionOf(id).title): string {
  return strings.withKeys(title, shortcutText(id))
}
