import { Readers } from '../../terminal/readers'
import type { Terminal } from '../../terminal/terminal'
import type { ToolContext } from '../defineTool'

/** Lives as long as its terminal is held. */
const readers = new WeakMap<Terminal, Readers>()

/** The terminal that a handle names, if the caller may see it. */
export async function terminalOf({ workspaces, caller }: ToolContext, handle: string): Promise<Terminal> {
  await workspaces.learn(caller.access)
  return workspaces.terminal(caller.access, handle)
}

/** Who has read what of a terminal. Its offsets never repeat, so revisions begin where the output stands. */
export function readersOf(terminal: Terminal): Readers {
  const known = readers.get(terminal)
  if (known) return known
  const made = new Readers(terminal.log.end)
  readers.set(terminal, made)
  return made
}

/** The short handle of a terminal. */
export function shortHandle(id: string): string {
  return `sess_${id.slice(0, 8)}`
}
