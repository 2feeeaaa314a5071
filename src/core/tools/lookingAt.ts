import type { Terminal } from '../terminal/terminal'
import { actorOf } from './actorOf'
import type { ToolContext } from './defineTool'

/** Windows show the caller as watching this terminal while `read` lasts, and for a while after. */
export async function lookingAt<T>(
  { id }: Terminal,
  { workspaces, caller }: ToolContext,
  read: () => Promise<T>
): Promise<T> {
  const looked = workspaces.activity.look(id, actorOf(caller))
  try {
    return await read()
  } finally {
    looked()
  }
}

/** The same for a read that is over at once. */
export function lookedAt({ id }: Terminal, { workspaces, caller }: ToolContext): void {
  workspaces.activity.look(id, actorOf(caller))()
}
