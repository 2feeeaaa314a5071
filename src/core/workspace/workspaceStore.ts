import { isDeepStrictEqual } from 'node:util'
import { AppError, type Warning } from '../../shared/errors'
import type { WorkspaceKey } from '../../shared/terminal'
import { sessionSegments } from './paths'
import { quote } from './quote'
import { type LoadedStore, StoreFile } from './storeFile'
import type { StoredTerminal, StoreState } from './storeState'
import { UnsavedEnds } from './unsavedEnds'
import type { WorkspaceContext } from './workspaceContext'

/** A workspace's store with what could not be saved yet, refused to a second owner, and never overwritten blindly. */
export class WorkspaceStore {
  readonly #file: StoreFile
  readonly #unsaved: UnsavedEnds
  /** The last list that was read or written: what is still shown when the project cannot be reached. */
  lastKnown: StoredTerminal[] = []
  /** What this host itself recorded or read; a file that another program changed takes nothing out of it. */
  #recorded: StoredTerminal[] = []

  constructor(
    private readonly key: WorkspaceKey,
    private readonly context: WorkspaceContext,
    private readonly isHeld: (id: string) => boolean,
    retry: () => Promise<void>
  ) {
    const { gate, owner, log, unsavedRetryMs } = context
    this.#file = new StoreFile({ project: key.project, segments: sessionSegments(key.session), gate, owner })
    this.#unsaved = new UnsavedEnds({ retry, log, ...(unsavedRetryMs ? { retryMs: unsavedRetryMs } : {}) })
  }

  async load(): Promise<LoadedStore> {
    const loaded = await this.#file.load()
    await this.#refuseOtherOwner(loaded.state)
    const state = this.#unsaved.applyTo(loaded.state)
    if (loaded.kind === 'ok' || loaded.kind === 'future') this.#read(state)
    this.context.closed.remember(state.ended, this.key)
    return { ...loaded, state }
  }

  /** Replaces what `loaded` found; STORE_WRITE_FAILED when that is not ours to replace or cannot be done. */
  async save(state: StoreState, { kind, why }: Pick<LoadedStore, 'kind' | 'why'>): Promise<void> {
    this.requireReplaceable({ kind, why })
    this.#saved(await this.#file.save(state, { aside: kind === 'corrupt' }))
  }

  /**
   * Runs `work` while the new file is written already, and then saves what came of it: nothing when `work` fails. Throws
   * what stands in the way of a save before `work` begins; `work` can wait until the file is `written`, before it does what
   * cannot be undone. `keep` is given the save itself.
   */
  async saveAfter(
    expected: StoreState,
    { kind, why }: Pick<LoadedStore, 'kind' | 'why'>,
    work: (
      written: () => Promise<void>
    ) => Promise<{ state: StoreState; keep(save: () => Promise<void>): Promise<void> }>
  ): Promise<void> {
    this.requireReplaceable({ kind, why })
    const begun = await this.#file.begin(expected, { aside: kind === 'corrupt' })
    let isOver = false
    try {
      const { state, keep } = await work(() => begun.written())
      const isExpected = isDeepStrictEqual(state, expected)
      if (!isExpected) await begun.abandon()
      isOver = true
      await keep(async () => (isExpected ? this.#saved(await begun.commit()) : this.save(state, { kind, why })))
    } finally {
      if (!isOver) await begun.abandon()
    }
  }

  requireReplaceable({ kind, why }: Pick<LoadedStore, 'kind' | 'why'>): void {
    if (kind !== 'unreadable' && kind !== 'future') return
    const hint = 'Use the newer Tandem, or move the file away; nothing was changed.'
    throw new AppError('STORE_WRITE_FAILED', `${this.#file.name} is not replaced: ${why}`, hint)
  }

  /** The records of terminals that this host holds, whatever has become of the file. */
  get held(): StoredTerminal[] {
    return this.#recorded.filter(({ id }) => this.isHeld(id))
  }

  #read({ sessions }: StoreState): void {
    this.lastKnown = sessions
    const ids = new Set(sessions.map(({ id }) => id))
    this.#recorded = [...sessions, ...this.held.filter(({ id }) => !ids.has(id))]
  }

  #saved({ sessions }: StoreState): void {
    this.lastKnown = sessions
    this.#recorded = sessions
    this.#unsaved.saved()
  }

  /** Ended, but the store does not know it yet: tried again until it does. */
  endedUnsaved(ids: ReadonlySet<string>): void {
    this.#unsaved.add(this.lastKnown.filter(({ id }) => ids.has(id)))
    this.#recorded = this.#recorded.filter(({ id }) => !ids.has(id))
    this.lastKnown = this.lastKnown.filter(({ id }) => !ids.has(id)).map((record, order) => ({ ...record, order }))
  }

  get hasUnsaved(): boolean {
    return !this.#unsaved.isEmpty
  }

  stop(): void {
    this.#unsaved.stop()
  }

  warningsFor({ kind, why }: LoadedStore): Warning[] {
    if (kind === 'future') return [{ code: 'STORE_WRITE_FAILED', message: `${this.#file.name} is read only: ${why}` }]
    if (kind !== 'corrupt' && kind !== 'unreadable') return []
    const message = `${this.#file.name} could not be used: ${why}. The list was rebuilt from what lives and what was saved before.`
    return [{ code: 'STORE_CORRUPT', message }]
  }

  rebuiltWarning(count: number): Warning {
    const message = `${this.#file.name} was missing. The list of ${count} was rebuilt from what lives and what was saved before.`
    return { code: 'STORE_CORRUPT', message }
  }

  // The file is foreign data: only an owner that answers on this machine is believed to hold it.
  async #refuseOtherOwner({ owner, sessions }: StoreState): Promise<void> {
    if (!owner || owner === this.context.owner || sessions.length === 0) return
    if (!(await this.context.ownerIsRunning(owner))) return
    const { project, session } = this.key
    throw new AppError(
      'SESSION_ERROR',
      `Workspace ${quote(session)} of project ${quote(project)} is held by another running Tandem, owner ${quote(owner)}`,
      'Use that host (it has another data directory), stop it first, or choose another session.'
    )
  }
}
