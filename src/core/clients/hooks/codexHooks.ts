import { AppError } from '../../../shared/errors'
import { BOM, isSame, notAlone, tomlOf } from '../configText'
import { shownCommand } from '../shownCommand'

const KEY = 'notify'
/** Our line, which stands before all tables: below a heading it would be part of that table. */
const OWN_LINE = /^[ \t]*notify[ \t]*=[^\n]*(?:\n|$)/m

/** Its `config.toml` with our program to notify, or without it; everything else stays as it is, byte for byte. */
export function withCodexHooks(text: string, words: readonly string[] | undefined): string {
  const present = fieldsOf(text)[KEY]
  if (isSame(present, words)) return text
  if (present !== undefined && !isOurs(present)) {
    if (!words) return text
    throw taken(words)
  }
  const bom = text.startsWith(BOM) ? BOM : ''
  const left = present === undefined ? text.slice(bom.length) : text.slice(bom.length).replace(OWN_LINE, '')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const changed = bom + (words ? `${KEY} = ${JSON.stringify(words)}${eol}` : '') + left
  const { [KEY]: _before, ...before } = fieldsOf(text)
  const { [KEY]: after, ...rest } = fieldsOf(changed)
  if (!isSame(before, rest) || !isSame(after, words)) throw notAlone(KEY)
  return changed
}

function fieldsOf(text: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tomlOf(text) ?? {}))
}

function isOurs(present: unknown): boolean {
  if (!Array.isArray(present) || !present.every((word) => typeof word === 'string')) return false
  const at = present.indexOf('hook')
  return present[at + 1] === 'codex' && /(?:^|\/)tandem(?:\.m?js)?$/.test(present[at - 1] ?? '')
}

/** Codex runs one program; another one is the person's, and stays. */
function taken(words: readonly string[]): AppError {
  const hint = `Codex notifies one program, and that one is yours. Have it run this too, with its last argument: ${shownCommand(words)} "$event"`
  return new AppError('INVALID_ARGUMENTS', 'Codex has a `notify` program already', hint)
}
