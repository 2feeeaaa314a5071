import { AppError } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import { quote } from './quote'
import type { Reconciler } from './reconciler'
import type { SerialQueue } from './serialQueue'
import type { LoadedStore } from './storeFile'
import { inOrder, type StoredTerminal, withStarted } from './storeState'
import type { WorkspaceContext } from './workspaceContext'
import type { WorkspaceStore } from './workspaceStore'
import type { WorkspaceTerminals } from './workspaceTerminals'

interface HandoverParts {
  key: WorkspaceKey
  context: WorkspaceContext
  terminals: WorkspaceTerminals
  store: WorkspaceStore
  queue: SerialQueue
  /** The store, whole, for a change. */
  load(): Promise<LoadedStore>
  reconciler: Reconciler
}

/** What the one that has the terminal does for the one that takes it. */
interface Leaver {
  /** Saves the list without it. */
  leave(): Promise<void>
  takeBack(): Promise<void>
}

/** One workspace's side of a terminal's move to another one. Its program notices nothing. */
export class Handover {
  /** A terminal comes or goes: until it has, it may be in two lists or held by neither. */
  isUnderWay = false

  constructor(private readonly parts: HandoverParts) {}

  /**
   * The list its stamp names always has the terminal: a crash at any point leaves it in exactly one when the next host has
   * looked, and nothing takes it for one without a record. False when it is not here.
   */
  to(target: Handover, id: TerminalId): Promise<boolean> {
    const { key, context, terminals, store, load } = this.parts
    return this.#run(async () => {
      const loaded = await load()
      const { state } = loaded
      const record = state.sessions.find((one) => one.id === id && !context.leaving.has(id))
      if (!record) return false
      if (!terminals.isHeld(id)) throw notHeld(record)
      const sessions = inOrder(state.sessions.filter((one) => one !== record))
      const leave = () => store.save({ ...state, sessions }, loaded)
      await target.#take(record, { leave, takeBack: () => this.#takeBack(record) })
      await terminals.restamp(state.sessions, sessions)
      context.changed(key)
      return true
    })
  }

  #take(given: StoredTerminal, { leave, takeBack }: Leaver): Promise<void> {
    const { key, context, terminals, store, load } = this.parts
    return this.#run(async () => {
      const loaded = await load()
      const record = { ...given, place: undefined, order: loaded.state.sessions.length }
      const seal = context.seal.of(record, terminals.place)
      try {
        await store.save(withStarted(loaded.state, { ...record, seal }), loaded)
        await terminals.takeOver(record)
        await leave()
      } catch (failure) {
        await takeBack()
        await this.#without(loaded)
        throw failure
      }
      context.changed(key)
    })
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.parts.queue.run(async () => {
      this.isUnderWay = true
      return work().finally(() => {
        this.isUnderWay = false
      })
    })
  }

  // A save that failed at its last step may have changed the file: the next look puts it right.
  async #takeBack(record: StoredTerminal): Promise<void> {
    this.parts.reconciler.isUnsettled = true
    await this.parts.terminals.takeBack(record)
  }

  async #without({ state }: LoadedStore): Promise<void> {
    const { context, store, reconciler } = this.parts
    reconciler.isUnsettled = true
    try {
      await store.save(state, { kind: 'ok', why: '' })
    } catch (failure) {
      context.log.warn({ err: failure }, 'A terminal that could not be moved here is still in the file')
    }
  }
}

function notHeld({ name }: StoredTerminal): AppError {
  return new AppError('SESSION_ERROR', `${quote(name)} is not held here now`, 'Start it again, then move it.')
}
