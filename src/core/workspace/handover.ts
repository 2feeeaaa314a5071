import { AppError } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import { quote } from './quote'
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
}

/** One workspace's side of a terminal's move to another one. Its program notices nothing. */
export class Handover {
  constructor(private readonly parts: HandoverParts) {}

  /** In this order a crash at any point leaves the terminal in exactly one of the two; false when it is not here. */
  to(target: Handover, id: TerminalId): Promise<boolean> {
    const { key, context, terminals, store, queue, load } = this.parts
    return queue.run(async () => {
      const loaded = await load()
      const { state } = loaded
      const record = state.sessions.find((one) => one.id === id && !context.leaving.has(id))
      if (!record) return false
      if (!terminals.isHeld(id)) throw notHeld(record)
      await store.save({ ...state, sessions: inOrder(state.sessions.filter((one) => one !== record)) }, loaded)
      try {
        await target.#take(record)
      } catch (failure) {
        await terminals.takeBack(record)
        await store.save(state, loaded)
        throw failure
      }
      context.changed(key)
      return true
    })
  }

  #take(given: StoredTerminal): Promise<void> {
    const { key, context, terminals, store, queue, load } = this.parts
    return queue.run(async () => {
      const loaded = await load()
      await store.prepare()
      const record = { ...given, order: loaded.state.sessions.length }
      await terminals.takeOver(record)
      const seal = context.seal.of(record, terminals.place)
      await store.save(withStarted(loaded.state, { ...record, seal }), loaded)
      context.changed(key)
    })
  }
}

function notHeld({ name }: StoredTerminal): AppError {
  return new AppError('SESSION_ERROR', `${quote(name)} is not held here now`, 'Start it again, then move it.')
}
