import { type ActionId, actionOf, keysOf } from '../../../shared/actions'
import { type KeyPlace, showChord } from '../../../shared/keys'
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
  const place = keyPlace()
  const [chord] = keysOf(id, place)
  return chord === undefined ? '' : showChord(chord, place.system)
}

/** An action's title with its keys, for a tooltip. */
export function titleWithKeys(id: ActionId, title: string = actionOf(id).title): string {
  return strings.withKeys(title, shortcutText(id))
}
