import { randomInt } from 'node:crypto'

const MAX_NAME_CHARACTERS = 256
const MAX_TMUX_PART_CHARACTERS = 20
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SUFFIX_LENGTH = 4

/** Any text as a display name: no control characters, no broken characters, 256 characters at most. */
export function cleanName(text: string): string {
  const printable = text.replace(/\p{Cc}/gu, '').replace(/\p{Cs}/gu, '\ufffd')
  if (printable.length <= MAX_NAME_CHARACTERS) return printable
  const cut = printable.slice(0, MAX_NAME_CHARACTERS)
  // A pair cut in half is left out whole.
  return cut.replace(/\p{Cs}$/u, '')
}

/** The name of a new terminal: the caller's, or `Terminal N` when there is none or it is blank. */
export function newName(wanted: string | undefined, taken: readonly string[]): string {
  const name = cleanName(wanted ?? '')
  return name.trim() === '' ? defaultName(taken) : name
}

function defaultName(taken: readonly string[]): string {
  const names = new Set(taken)
  let number = taken.length + 1
  while (names.has(`Terminal ${number}`)) number += 1
  return `Terminal ${number}`
}

/** The name a terminal gets by a rename. */
export function renamed(wanted: string): string {
  return cleanName(cleanName(wanted).trim()).trim() || 'Terminal'
}

/** Picks one of `count` numbers from 0; injectable, so that a collision can be forced. */
export type PickNumber = (count: number) => number

/** A tmux session name: `mc-`, what is left of the session's last part, and four random characters. */
export function tmuxSessionName(session: string, pick: PickNumber = randomInt): string {
  const last = session.split(/[:/]/).at(-1) ?? ''
  const part = last.replace(/[^A-Za-z0-9-]/g, '').slice(0, MAX_TMUX_PART_CHARACTERS) || 'default'
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_CHARACTERS[pick(SUFFIX_CHARACTERS.length)])
  return `mc-${part}-${suffix.join('')}`
}
