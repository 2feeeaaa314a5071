import type { Access } from '../../shared/access'
import { AppError } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import { quote } from './quote'
import { SerialQueue } from './serialQueue'
import type { WorkspaceRegistry } from './workspaceRegistry'

/** Moves terminals from one session of a project to another; their programs notice nothing. */
export class Mover {
  // One at a time: two moves in opposite directions would wait for each other.
  readonly #queue = new SerialQueue()

  constructor(private readonly parts: { registry: WorkspaceRegistry; moved(to: WorkspaceKey): void }) {}

  /** False when the workspace has no such terminal. */
  async move(
    access: Access,
    from: WorkspaceKey,
    { id, session }: { id: TerminalId; session: string }
  ): Promise<boolean> {
    const { registry, moved } = this.parts
    if (session === from.session) {
      throw new AppError('INVALID_ARGUMENTS', `The terminal is in session ${quote(session)} already`)
    }
    return this.#queue.run(() =>
      registry.withWorkspace(access, from, (source) =>
        registry.withWorkspace(access, { ...from, session }, async (target) => {
          const isMoved = await source.workspace.handover.to(target.workspace.handover, id)
          if (isMoved) moved(target.workspace.key)
          return isMoved
        })
      )
    )
  }
}
