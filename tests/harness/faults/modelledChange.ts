import type { ProcessIdentity } from './processIdentity'

export interface Modelled {
  id: string
  name: string
  tmuxSession: string
  process: ProcessIdentity
  /** A kill of it was under way when the host died: it may have ended, or end still. It is killed again as soon as may be. */
  mayHaveEnded: boolean
}

export type Operation =
  | { kind: 'create'; name: string }
  | { kind: 'rename'; id: string; name: string }
  | { kind: 'reorder'; ids: string[] }
  | { kind: 'kill'; id: string }
  | { kind: 'restart'; id: string; name: string }
  | { kind: 'remove' }

/** How a change was answered: the code of a refusal, or one of these. */
export type Answer = 'done' | 'no answer' | (string & {})

/** The list as it is after a change; a create adds what only the host can tell, and so does a restart. */
export function applied(terminals: Modelled[], operation: Operation): Modelled[] {
  if (operation.kind === 'remove') return []
  if (operation.kind === 'kill') return terminals.filter(({ id }) => id !== operation.id)
  if (operation.kind === 'rename') {
    return terminals.map((one) => (one.id === operation.id ? { ...one, name: operation.name } : one))
  }
  if (operation.kind === 'reorder') {
    return operation.ids.flatMap((wanted) => terminals.filter(({ id }) => id === wanted))
  }
  return terminals
}

/** A list in one line, to compare and to read. */
export function print(list: readonly { id: string; name: string }[]): string {
  return list.map(({ id, name }) => `${id.slice(0, 8)}=${name}`).join(' ')
}
