import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint } from '../../core/data/discovery'
import { type ConnectionEnd, connectTerminal, type TerminalConnection } from '../../server/terminalClient'
import { CLOSE_CODE } from '../../shared/wire'
import { strings } from '../strings'
import type { DetachKey } from './detachKey'
import { OwnTerminal } from './ownTerminal'
import { ShownOutput } from './shownOutput'
import { TypedKeys } from './typedKeys'

/** A host that is started anew, or another one that takes over, is there by then. */
const RETURN_LIMIT_MS = 15_000
/** Whoever types is told after this why nothing comes back. */
const TELL_AFTER_MS = 1000
const LOOK_AGAIN_MS = 100
/** The detach key pressed again within this is meant for the program. */
const TWICE_MS = 300
/** What is typed while no host is there waits for the next one. */
const MAX_WAITING_BYTES = 65_536
/** Answers of a host that is there but not ready. */
const NOT_YET = [429, 503]

export type Left = ConnectionEnd | { kind: 'detached' }

export interface AttachmentOptions {
  tmuxSession: string
  /** Undefined: there is none, only the program's end leaves. */
  key: DetachKey | undefined
  /** The host that runs now. */
  find(): Endpoint | undefined
}

/** This terminal as a window onto one of the host's: until its program ends, or it is left, whichever host serves it. */
export class Attachment {
  readonly #options: AttachmentOptions
  readonly #own = new OwnTerminal()
  readonly #shown = new ShownOutput()
  readonly #typed: TypedKeys
  readonly #left = new AbortController()
  #connection: TerminalConnection | undefined
  #isOpen = false
  #timesOpened = 0
  #isTold = false
  #waiting: Buffer[] = []
  #offset: number | undefined
  #leaving: NodeJS.Timeout | undefined

  constructor(options: AttachmentOptions) {
    this.#options = options
    this.#typed = new TypedKeys(options.key, {
      typed: (keys) => this.#type(keys),
      detach: (key) => this.#pressed(key)
    })
  }

  async run(first: Endpoint): Promise<Left> {
    try {
      const end = await this.#untilOver(first)
      return this.#left.signal.aborted ? { kind: 'detached' } : end
    } finally {
      this.#typed.close()
      clearTimeout(this.#leaving)
      this.#own.giveBack()
    }
  }

  async #untilOver(first: Endpoint): Promise<ConnectionEnd> {
    let end = await this.#watch(first)
    let awayMs = performance.now()
    while (this.#mayComeBack(end) && performance.now() - awayMs < RETURN_LIMIT_MS) {
      await this.#pause()
      if (performance.now() - awayMs > TELL_AFTER_MS) this.#tellAway()
      const next = this.#left.signal.aborted ? undefined : this.#options.find()
      if (!next) continue
      const opened = this.#timesOpened
      const nextEnd = await this.#watch(next)
      const wasOpen = this.#timesOpened > opened
      // What a host says counts; that one could not be reached says nothing new.
      if (wasOpen || nextEnd.kind !== 'lost') end = nextEnd
      if (wasOpen) awayMs = performance.now()
    }
    return end
  }

  /** The notice covers a row, so everything must be shown anew. */
  #tellAway(): void {
    if (this.#isTold || this.#left.signal.aborted) return
    this.#isTold = true
    this.#own.showNotice(strings.attachAway(this.#options.key?.name))
    this.#offset = undefined
  }

  #mayComeBack(end: ConnectionEnd): boolean {
    if (this.#left.signal.aborted || !this.#own.isTaken) return false
    if (end.kind === 'refused') return NOT_YET.includes(end.status)
    return end.kind === 'lost' && end.code !== CLOSE_CODE.policy && end.code !== CLOSE_CODE.tooBig
  }

  /** One connection, from here to its end. */
  #watch({ url, token }: Endpoint): Promise<ConnectionEnd> {
    const { tmuxSession } = this.#options
    const wsUrl = `${url.replace(/^http/, 'ws')}/ws`
    return new Promise((resolve) => {
      const target = { wsUrl, token, tmuxSession, size: this.#own.size, from: this.#offset }
      const connection = connectTerminal(target, {
        opened: () => this.#opened(),
        output: (bytes) => this.#own.show(this.#shown.push(bytes)),
        ended: (end) => {
          if (this.#isOpen) this.#offset = connection.offset
          this.#isOpen = false
          resolve(end)
        }
      })
      this.#connection = connection
    })
  }

  #opened(): void {
    this.#isOpen = true
    this.#timesOpened += 1
    this.#own.take({
      keys: (bytes) => this.#typed.push(bytes),
      resized: (size) => this.#isOpen && this.#connection?.resize(size),
      leave: () => this.#leave()
    })
    if (this.#isTold) this.#own.showNotice('')
    this.#isTold = false
    for (const keys of this.#waiting.splice(0)) this.#connection?.send(keys)
  }

  #type(keys: Buffer): void {
    // Whoever has pressed the key to leave speaks to the own shell already.
    if (this.#leaving) return
    if (this.#isOpen) this.#connection?.send(keys)
    else this.#keep(keys)
  }

  #keep(keys: Buffer): void {
    const waitingBytes = this.#waiting.reduce((sum, { length }) => sum + length, 0)
    if (waitingBytes + keys.length <= MAX_WAITING_BYTES) this.#waiting.push(keys)
  }

  #pressed(key: Buffer): void {
    if (!this.#leaving) {
      this.#leaving = setTimeout(() => this.#leave(), TWICE_MS)
      return
    }
    clearTimeout(this.#leaving)
    this.#leaving = undefined
    this.#type(key)
  }

  #leave(): void {
    this.#left.abort()
    this.#connection?.close()
  }

  async #pause(): Promise<void> {
    try {
      await wait(LOOK_AGAIN_MS, undefined, { signal: this.#left.signal })
    } catch (failure) {
      if (!this.#left.signal.aborted) throw failure
    }
  }
}
