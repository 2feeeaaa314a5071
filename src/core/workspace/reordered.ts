import { AppError } from '../../shared/errors'
import { quote } from './quote'
import { findByHandle } from './terminalRecord'

/** The terminals in the order of the handles, which must name each of them exactly once. */
export function reordered<T extends { id: string; tmuxSession: string }>(
  all: readonly T[],
  handles: readonly string[]
): T[] {
  const found: T[] = []
  for (const handle of handles) {
    const terminal = findByHandle(all, handle)
    if (!terminal) throw refused(`${quote(handle)} is not a terminal of this workspace`)
    if (found.includes(terminal)) throw refused(`${quote(handle)} is there twice`)
    found.push(terminal)
  }
  const missing = all.filter((terminal) => !found.includes(terminal))
  if (missing.length > 0) throw refused(`${missing.map(({ id }) => quote(id)).join(', ')} is missing`)
  return found
}

function refused(why: string): AppError {
  const hint = 'Give every id of the workspace once; terminal_list_sessions shows them.'
  return new AppError('INVALID_ARGUMENTS', `orderedIds: ${why}`, hint)
}
