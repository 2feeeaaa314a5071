import { until } from '../waiting'
import type { Listed } from '../workspace'
import { type Door, NoAnswer, Refused } from './door'
import type { FaultHost } from './faultHost'
import { identify, isAlive, type ProcessIdentity } from './processIdentity'
import type { Random } from './random'

export interface Modelled {
  id: string
  name: string
  process: ProcessIdentity
  /** A kill of it was under way when the host died: it may have ended. */
  mayHaveEnded: boolean
}

export type Operation =
  | { kind: 'create'; name: string }
  | { kind: 'rename'; id: string; name: string }
  | { kind: 'reorder'; ids: string[] }
  | { kind: 'kill'; id: string }

/** What one workspace must hold: every change that was answered, and of the one that was not, all or nothing. */
export class WorkspaceModel {
  terminals: Modelled[] = []
  #doubt: Operation | undefined
  #count = 0
  readonly #history: string[] = []

  constructor(
    private readonly host: FaultHost,
    private readonly random: Random,
    readonly door: Door
  ) {}

  /** One random change. False when it had no answer: from then on it is in doubt. */
  async change(limit = 6): Promise<boolean> {
    return this.perform(this.#choose(limit))
  }

  async perform(operation: Operation): Promise<boolean> {
    this.#doubt = operation
    try {
      const id = await this.#send(operation)
      await this.#settle(operation, id)
      this.#history.push(`done ${JSON.stringify(operation)}`)
    } catch (failure) {
      // A refusal is an answer, and what it means is checked like a doubt; no answer comes as another failure.
      if (!(failure instanceof Refused || failure instanceof NoAnswer)) throw failure
      this.#history.push(`${failure instanceof Refused ? failure.message : 'no answer'} ${JSON.stringify(operation)}`)
      return false
    }
    this.#doubt = undefined
    return true
  }

  /** Compares with what is listed, stored and alive; a doubt is settled by what is there. Throws what is wrong. */
  async verify(): Promise<void> {
    const listed = await this.door.list()
    const wrong = this.#wrongIn(listed)
    if (wrong.length > 0) throw new Error(`${this.door.session}: ${wrong.join('; ')}\n${this.#explain(listed)}`)
    this.terminals = listed.map((shown) => this.#modelled(shown))
    this.#doubt = undefined
  }

  /** What keeps the programs is gone: every record stays, says so, and goes when it is closed. */
  async loseAll(): Promise<void> {
    const isLost = ({ id, state }: Listed) =>
      state === 'lost' || this.terminals.some((one) => one.id === id && one.mayHaveEnded)
    await until(async () => (await this.door.list()).every(isLost), { what: `${this.door.session} to be lost` })
    const listed = await this.door.list()
    if (print(listed) !== print(this.terminals)) throw new Error(`records went with tmux\n${this.#explain(listed)}`)
    await this.closeAll()
  }

  async closeAll(): Promise<void> {
    for (const { id } of await this.door.list()) await this.door.kill(id)
    this.terminals = []
    const left = await this.door.list()
    if (left.length > 0) throw new Error(`closed, and still listed: ${print(left)}`)
  }

  /** Waits for what could not be saved at once. */
  async saved(): Promise<void> {
    const isSaved = async () => print(this.host.stored(this.door)) === print(await this.door.list())
    await until(isSaved, { what: 'the store to be saved' })
  }

  #choose(limit: number): Operation {
    const { random, terminals } = this
    const kind = random.pick(['create', 'rename', 'rename', 'reorder', 'kill'] as const)
    if (terminals.length < 2 || (kind === 'create' && terminals.length < limit)) {
      return { kind: 'create', name: `made ${++this.#count}` }
    }
    const { id } = random.pick(terminals)
    if (kind === 'reorder') return { kind, ids: random.shuffled(terminals.map((one) => one.id)) }
    return kind === 'kill' ? { kind, id } : { kind: 'rename', id, name: `named ${++this.#count}` }
  }

  async #send(operation: Operation): Promise<string> {
    if (operation.kind === 'create') return (await this.door.create(operation.name)).id
    if (operation.kind === 'rename') await this.door.rename(operation.id, operation.name)
    else if (operation.kind === 'reorder') await this.door.reorder(operation.ids)
    else await this.door.kill(operation.id)
    return ''
  }

  async #settle(operation: Operation, id: string): Promise<void> {
    if (operation.kind !== 'create') {
      this.terminals = applied(this.terminals, operation)
      return
    }
    const shown = (await this.door.list()).find((one) => one.id === id)
    if (!shown) throw new Error(`"${operation.name}" was made and is not listed`)
    this.terminals.push(this.#modelled(shown))
  }

  #modelled({ id, name, pid }: Listed): Modelled {
    const known = this.terminals.find((one) => one.id === id)
    const mayHaveEnded = this.#doubt?.kind === 'kill' && this.#doubt.id === id
    if (known) return { ...known, name, mayHaveEnded: known.mayHaveEnded || mayHaveEnded }
    const process = identify(pid ?? 0)
    if (!process) throw new Error(`the program of "${name}" does not run`)
    return { id, name, process, mayHaveEnded }
  }

  #wrongIn(listed: Listed[]): string[] {
    const stored = this.host.stored(this.door)
    const wrong: string[] = []
    if (!this.#allowed(listed)) wrong.push('the list is neither the old nor the new one')
    if (print(stored) !== print(listed)) wrong.push(`the file says ${print(stored)}`)
    if (listed.some(({ order }, index) => order !== index)) wrong.push('the orders have gaps')
    if (new Set(listed.map(({ id }) => id)).size < listed.length) wrong.push('an id is there twice')
    return [...wrong, ...this.#wrongStates(listed)]
  }

  #wrongStates(listed: Listed[]): string[] {
    return listed.flatMap(({ id, name, state, pid }) => {
      const known = this.terminals.find((one) => one.id === id)
      const isKilled = this.#doubt?.kind === 'kill' && this.#doubt.id === id
      if (known?.mayHaveEnded || isKilled) return []
      if (state !== 'running') return [`"${name}" is ${state}`]
      if (known ? !isAlive(known.process) : !identify(pid ?? 0)) return [`the program of "${name}" is gone`]
      return []
    })
  }

  #allowed(listed: Listed[]): boolean {
    const before = print(this.terminals)
    if (print(listed) === before) return true
    const doubt = this.#doubt
    if (!doubt) return false
    if (doubt.kind !== 'create') return print(listed) === print(applied(this.terminals, doubt))
    return print(listed.slice(0, -1)) === before && listed.at(-1)?.name === doubt.name
  }

  #explain(listed: Listed[]): string {
    const files = this.host.filesOf(this.door)
    const history = this.#history.slice(-12).join('\n  ')
    return `expected ${print(this.terminals)}\nlisted   ${print(listed)}\nhistory  ${history}\n${files}\n${this.host.tandem.stderr}`
  }
}

function applied(terminals: Modelled[], operation: Operation): Modelled[] {
  if (operation.kind === 'kill') return terminals.filter(({ id }) => id !== operation.id)
  if (operation.kind === 'rename') {
    return terminals.map((one) => (one.id === operation.id ? { ...one, name: operation.name } : one))
  }
  if (operation.kind === 'reorder') {
    return operation.ids.flatMap((wanted) => terminals.filter(({ id }) => id === wanted))
  }
  return terminals
}

function print(list: readonly { id: string; name: string }[]): string {
  return list.map(({ id, name }) => `${id.slice(0, 8)}=${name}`).join(' ')
}
