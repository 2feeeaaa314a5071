import type { Access } from '../../shared/access'
import { AppError } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { KnownWorkspaces } from './knownWorkspaces'
import { quote } from './quote'
import { SerialQueue } from './serialQueue'
import type { WorkspaceRegistry } from './workspaceRegistry'

interface MoverParts {
  registry: WorkspaceRegistry
  known: KnownWorkspaces
  /** Puts a workspace on the list of known ones. */
  note(key: WorkspaceKey): void
  /** Takes it off again. */
  forget(key: WorkspaceKey): void
}

/** Moves terminals from one session of a project to another; their programs notice nothing. */
export class Mover {
  // One at a time: two moves in opposite directions would wait for each other.
  readonly #queue = new SerialQueue()

  constructor(private readonly parts: MoverParts) {}

  /** False when the workspace has no such terminal. */
  async move(
    access: Access,
    from: WorkspaceKey,
    { id, session }: { id: TerminalId; session: string }
  ): Promise<boolean> {
    const { registry, known, note, forget } = this.parts
    if (session === from.session) {
      throw new AppError('INVALID_ARGUMENTS', `The terminal is in session ${quote(session)} already`)
    }
    return this.#queue.run(() =>
      registry.withWorkspace(access, from, (source) =>
        registry.withWorkspace(access, { ...from, session }, async (target) => {
          const to = target.workspace
          const isNew = !known.has(to.key)
          // Before the terminal has come: the next host looks also where a move was cut short.
          note(to.key)
          const isMoved = await source.workspace.handover.to(to.handover, id)
          if (!isMoved && isNew) forget(to.key)
          return isMoved
        })
      )
    )
  }
}
