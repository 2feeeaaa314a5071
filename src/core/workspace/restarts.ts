import { randomUUID } from 'node:crypto'
import { AppError, type Warning } from '../../shared/errors'
import type { EndedTerminal, Size } from '../../shared/terminal'
import { quote } from './quote'
import type { Starter } from './starter'
import type { Program } from './startTerminal'
import {
  type EndedTerminal as EndedRecord,
  endReasonOf,
  MAX_RESTARTS,
  type StoredTerminal,
  type StoreState
} from './storeState'
import { findByHandle } from './terminalRecord'
import type { WorkspaceContext } from './workspaceContext'
import type { WorkspaceTerminals } from './workspaceTerminals'

/** What a terminal that is started again ran, as far as it can be believed. */
export interface Predecessor {
  program: string
  cwd: string
  /** Written by this owner; otherwise it came with the project's files and says nothing about what to run. */
  isOurs: boolean
  size: Size | undefined
}

export interface Restart {
  handle: string
  program(predecessor: Predecessor): Promise<{ program: Program; warnings: Warning[] }>
}

export interface PlannedRestart {
  old: StoredTerminal
  planned: StoredTerminal
  program: Program
  warnings: Warning[]
}

/** Starts terminals of one workspace again. Only ever on request: a file that names a terminal starts nothing. */
export class Restarts {
  constructor(
    private readonly terminals: WorkspaceTerminals,
    private readonly starter: Starter,
    private readonly context: WorkspaceContext
  ) {}

  /** The record, once it is proved that its program is over. Throws on doubt. */
  async find(handle: string, { sessions, ended }: StoreState): Promise<StoredTerminal> {
    const record =
      findByHandle(
        sessions.map((one) => this.#current(one)),
        handle
      ) ?? findByHandle(ended, handle)
    if (!record) {
      const hint = 'List the terminals and the ended ones to see their handles.'
      throw new AppError('SESSION_NOT_FOUND', `Session not found: ${quote(handle)}`, hint)
    }
    const isListed = sessions.some(({ id }) => id === record.id)
    const doubt = isListed && !this.terminals.of(record.id) && (await this.terminals.serverElsewhere())
    if (doubt && record.backend === 'tmux') throw doubt
    await this.#requireOver(record)
    return record
  }

  /** The record as it will most likely be, and the program that it will run. Changes nothing. */
  async plan(old: StoredTerminal, { program }: Restart): Promise<PlannedRestart> {
    const isOurs = this.context.seal.isOurs(old, this.terminals.place)
    const size = this.terminals.of(old.id)?.size
    const ready = await program({ program: old.program, cwd: old.cwd, isOurs, size })
    return { old, planned: this.starter.planned(this.#successor(old), ready.program), ...ready }
  }

  /** Takes away what is left of the old program, once the new record is `written`; then starts the new one. */
  async start(
    { old, planned, program }: PlannedRestart,
    others: readonly StoredTerminal[],
    written: () => Promise<void>
  ) {
    if (this.terminals.of(old.id)) {
      await written()
      await this.terminals.end(old.id)
    }
    return this.starter.start(planned, program, others)
  }

  show(record: EndedRecord): EndedTerminal {
    const { id, name, tmuxSession, created, order, backend, cwd, program, endedAt } = record
    const reason = endReasonOf(record.reason)
    const offered = reason !== 'closed' && this.context.seal.isOurs(record, this.terminals.place)
    return { id, name, tmuxSession, created, order, backend, cwd, program, endedAt, reason, offered }
  }

  async #requireOver(record: StoredTerminal): Promise<void> {
    const { id, name, backend } = record
    const terminal = this.terminals.of(id) ?? (backend === 'tmux' ? await this.terminals.findLiving(id) : undefined)
    const isUnreadable = !terminal && this.terminals.isUnreadable(record)
    if (terminal?.state === 'unknown' || isUnreadable) {
      throw new AppError('SESSION_ERROR', `Whether ${quote(name)} still runs is not known now`, 'Try again later.')
    }
    if (!terminal || terminal.state === 'exited' || terminal.state === 'lost') return
    throw new AppError('INVALID_ARGUMENTS', `${quote(name)} is running`, 'Close it first, or open a new terminal.')
  }

  // It keeps its id, so that handles and windows stay right, unless a living terminal elsewhere has the same one.
  #successor(predecessor: StoredTerminal): StoredTerminal {
    const record = begunAnew(predecessor)
    const { terminals } = this.context
    const isTaken = terminals.byId(record.id) !== undefined && this.terminals.of(record.id) === undefined
    if (isTaken || record.restarts >= MAX_RESTARTS) return { ...record, id: randomUUID(), restarts: 0 }
    return { ...record, restarts: record.restarts + 1 }
  }

  #current(record: StoredTerminal): StoredTerminal {
    return { ...record, tmuxSession: this.terminals.of(record.id)?.tmuxSession ?? record.tmuxSession }
  }
}

// Neither what the earlier run proved nor how it ended is true of the next one; and whoever starts it again, it is not
// the bridge that it was to end with.
function begunAnew(predecessor: StoredTerminal & Partial<EndedRecord>): StoredTerminal {
  const { seal: _, endedAt: at, reason: __, openedBy, ...record } = predecessor
  const place = at === undefined ? record.place : { at, order: record.order }
  return { ...record, place, ...(openedBy ? { openedBy: { toolset: openedBy.toolset } } : {}) }
}

/** The state without the record that a restart replaces. */
export function withoutIt({ sessions, ended, ...rest }: StoreState, { id }: StoredTerminal): StoreState {
  const isOther = (record: StoredTerminal) => record.id !== id
  return { ...rest, sessions: sessions.filter(isOther), ended: ended.filter(isOther) }
}
