import { ACTION_IDS, type ActionId, actionOf, keysOf } from './actions'
import { chordOf } from './chords'
import type { KeyPlace } from './keys'

/** The keys that a person gave to actions, as they wrote them; empty: none. */
export type OwnShortcuts = Readonly<Record<string, string>>

/** The keys of every action in a place, the one to show first. */
export type Keymap = Readonly<Record<ActionId, readonly string[]>>

const PLACES: readonly KeyPlace[] = [
  { system: 'linux', shell: 'desktop' },
  { system: 'linux', shell: 'browser' },
  { system: 'mac', shell: 'desktop' },
  { system: 'mac', shell: 'browser' }
]

/** A person's own keys count; where they took another action's, that one is left with its others. */
export function keymapOf(place: KeyPlace, own: OwnShortcuts): Keymap {
  const given = givenChords(own)
  const taken = new Set([...given.values()].flat())
  const entries = ACTION_IDS.map(
    (id) => [id, given.get(id) ?? keysOf(id, place).filter((chord) => !taken.has(chord))] as const
  )
  // Every action has its entry.
  return Object.fromEntries(entries) as Keymap
}

/** What is wrong with them, one sentence each: actions and keys that do not exist, and keys that two actions want. */
export function shortcutProblems(own: OwnShortcuts): string[] {
  const wrong = Object.entries(own).flatMap(([id, text]) => {
    if (!isAction(id)) return [`"${id}" is no action.`]
    if (text.trim() === '' || chordOf(text) !== undefined) return []
    return [`"${text}" for "${id}" is no shortcut: write it like "Ctrl+Shift+T", "Alt+1" or "F5".`]
  })
  return [...wrong, ...conflicts(own)]
}

function conflicts(own: OwnShortcuts): string[] {
  const given = givenChords(own)
  const says: string[] = []
  for (const [id, text] of Object.entries(own)) {
    const chord = chordOf(text)
    if (!isAction(id) || chord === undefined) continue
    const first = [...given].find(([, chords]) => chords.includes(chord))?.[0]
    if (first !== undefined && first !== id) {
      says.push(`"${id}" and "${first}" both want ${text}; "${first}" has it.`)
    } else {
      const robbed = ACTION_IDS.filter(
        (other) => !given.has(other) && PLACES.some((place) => keysOf(other, place).includes(chord))
      )
      for (const other of robbed) {
        says.push(`"${id}" takes ${text} from "${other}" (${actionOf(other).title}); name keys for that one too.`)
      }
    }
  }
  return says
}

/** What can be used of them. Of two actions that want the same keys the first named has them, the other its usual ones. */
function givenChords(own: OwnShortcuts): ReadonlyMap<ActionId, readonly string[]> {
  const given = new Map<ActionId, readonly string[]>()
  for (const [id, text] of Object.entries(own)) {
    const chord = chordOf(text)
    const isTaken = [...given.values()].some((chords) => chord !== undefined && chords.includes(chord))
    if (!isAction(id) || isTaken || (chord === undefined && text.trim() !== '')) continue
    given.set(id, chord === undefined ? [] : [chord])
  }
  return given
}

function isAction(id: string): id is ActionId {
  return ACTION_IDS.some((known) => known === id)
}
