import { AppError } from '../../shared/errors'
import type { TerminalId, TerminalSession } from '../../shared/terminal'
import type { AttemptMark } from '../backends/stamp'
import type { Created } from './createRequest'
import { REMEMBERED_MS } from './idempotency'
import type { Workspace } from './workspace'

/** Which terminal was made for which attempt. The stamps say it too, so it outlives the host that made it. */
export class AttemptMarks {
  readonly #marks = new Map<TerminalId, AttemptMark>()

  of(id: TerminalId): AttemptMark | undefined {
    return this.#marks.get(id)
  }

  /** What a living terminal's stamp says. */
  found(id: TerminalId, mark: AttemptMark | undefined): void {
    if (mark) this.#marks.set(id, mark)
  }

  forget(id: TerminalId): void {
    this.#marks.delete(id)
  }

  /** Marks a terminal from before it is there, unless it cannot be made. */
  async making<T>(id: TerminalId, mark: AttemptMark | undefined, make: () => Promise<T>): Promise<T> {
    this.found(id, mark)
    try {
      return await make()
    } catch (failure) {
      this.forget(id)
      throw failure
    }
  }

  /** Makes it, unless an earlier host has made it for this attempt, or this one when it thought it had failed. */
  async once(mark: AttemptMark | undefined, workspace: Workspace, make: () => Promise<Created>): Promise<Created> {
    const record = mark && (await this.#earlier(mark, workspace))
    return record ? { record, warnings: [] } : make()
  }

  async #earlier(mark: AttemptMark, workspace: Workspace): Promise<TerminalSession | undefined> {
    // What tmux did too late is seen by looking again.
    if (workspace.isUnsettled) await workspace.reconcile()
    const [id, known] = [...this.#marks].find(([, { name }]) => name === mark.name) ?? []
    if (id === undefined) return undefined
    const record = (await workspace.list()).sessions.find((session) => session.id === id)
    const isRemembered = record && Math.abs(Date.now() - Date.parse(record.created)) <= REMEMBERED_MS
    if (!isRemembered) return undefined
    if (known?.request === mark.request) return record
    const hint = 'Use a new key for a new request.'
    throw new AppError('INVALID_ARGUMENTS', 'The idempotency key was used for another request', hint)
  }
}
