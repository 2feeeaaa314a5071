import { until } from '../waiting'
import type { Listed } from '../workspace'
import { type Door, NoAnswer, Refused } from './door'
import type { DiskWitness, FaultHost } from './faultHost'
import { type Answer, applied, type Modelled, type Operation, print } from './modelledChange'
import { identify, isAlive } from './processIdentity'
import type { Random } from './random'

// A store names the last fifty that ended, and not all of them were closed here.
const REMEMBERED = 30

interface Closed {
  id: string
  name: string
}

/** What one workspace must hold: every change that was answered, and of the one that was not, all or nothing. */
export class WorkspaceModel implements DiskWitness {
  terminals: Modelled[] = []
  /** How the last change was answered. */
  answer: Answer = 'done'
  /** What was closed, newest last. */
  #closed: Closed[] = []
  /** Sessions that end behind the answer. */
  readonly #leaving: string[] = []
  #wasStored = false
  #doubt: Operation | undefined
  #count = 0
  readonly #history: string[] = []

  constructor(
    private readonly host: FaultHost,
    private readonly random: Random,
    readonly door: Door
  ) {
    host.callWitness(this)
  }

  /** One random change. False when it had no answer: from then on it is in doubt. */
  async change(limit = 6): Promise<boolean> {
    return this.perform(this.#choose(limit))
  }

  async perform(operation: Operation): Promise<boolean> {
    this.#doubt = operation
    this.answer = await this.#answerTo(operation)
    this.#history.push(`${this.answer}: ${JSON.stringify(operation)}`)
    const isRefusedWhole = this.answer === 'STORE_WRITE_FAILED' && ['rename', 'reorder'].includes(operation.kind)
    // A refusal for want of a disk leaves these as they were; what any other means is seen later, like a doubt.
    if (this.answer === 'done' || isRefusedWhole) this.#doubt = undefined
    return this.answer === 'done'
  }

  async #answerTo(operation: Operation): Promise<Answer> {
    try {
      const id = await this.#send(operation)
      if (id === undefined) return 'not found'
      await this.#settle(operation, id)
      return 'done'
    } catch (failure) {
      if (failure instanceof Refused) return failure.code
      if (failure instanceof NoAnswer) return 'no answer'
      throw failure
    }
  }

  /** Compares with what is listed, stored and alive; a doubt is settled by what is there. Throws what is wrong. */
  async verify({ isDamaged = false } = {}): Promise<void> {
    // What was still to end when the host died leaves the list at once and the file a moment later.
    if (this.#doubt?.kind === 'remove' || this.#leaving.length > 0) await this.saved()
    const { listed, isToldDamaged } = await this.#known()
    const wrong = [...this.#wrongIn(listed), ...this.#wrongOnDisk()]
    if (isToldDamaged !== isDamaged) wrong.push(isDamaged ? 'a damaged store was not told' : 'a damaged store was told')
    if (wrong.length > 0) throw new Error(`${this.door.session}: ${wrong.join('; ')}\n${this.#explain(listed)}`)
    this.#close(this.terminals.filter(({ id }) => !listed.some((shown) => shown.id === id)))
    this.#reopen(listed)
    this.terminals = listed.map((shown) => this.#modelled(shown))
    this.#doubt = undefined
  }

  /** As the host shows it, once it knows the states: a busy tmux may need its time. */
  async #known(): Promise<{ listed: Listed[]; isToldDamaged: boolean }> {
    const { sessions, warnings } = await this.door.look()
    let listed = sessions
    const isKnown = async () => {
      if (listed.every(({ state }) => state !== 'unknown')) return true
      listed = await this.door.list()
      return false
    }
    await until(isKnown, { what: `the states of ${this.door.session} to be known` })
    // Another one of this code says that there was no store, which a create in doubt may have met.
    const isToldDamaged = warnings.some(
      ({ code, message }) => code === 'STORE_CORRUPT' && / could not be used/.test(message)
    )
    return { listed, isToldDamaged }
  }

  /** Nothing is asked of the host, which may be dead: the files and the programs are as the last changes left them. */
  checkDisk(): void {
    const wrong = this.#wrongOnDisk()
    if (wrong.length > 0) throw new Error(`${this.door.session}: ${wrong.join('; ')}\n${this.#explain([])}`)
  }

  checkPrograms(): void {
    for (const { name, process, id } of this.terminals)
      if (!this.#mayEnd(id) && !isAlive(process))
        throw new Error(`the program of "${name}" is gone\n${this.#explain([])}`)
  }

  /** Nothing is silently gone: what was closed is told to have been. */
  async checkEnded(): Promise<void> {
    const ended = (await this.door.ended()).map(({ id }) => id)
    const forgotten = this.#closed.filter(({ id }) => !ended.includes(id))
    if (forgotten.length > 0) throw new Error(`${this.door.session}: closed, and not told: ${print(forgotten)}`)
  }

  /** What was refused though nothing stood in the way; a busy tmux may be too slow for an answer. */
  refusals(...known: readonly string[]): string[] {
    const expected: readonly string[] = ['done', 'no answer', 'TMUX_UNRESPONSIVE', ...known]
    return expected.includes(this.answer) ? [] : [`${this.door.session}: ${this.#history.at(-1)}`]
  }

  /** Sessions that may end whatever becomes of the host: closing them was under way. */
  get ending(): string[] {
    const mayEnd = this.terminals.filter(({ id }) => this.#mayEnd(id)).map(({ tmuxSession }) => tmuxSession)
    return [...mayEnd, ...this.#leaving]
  }

  /** What keeps the programs is gone: every record stays, says so, and goes when it is closed. */
  async loseAll(): Promise<void> {
    const isLost = ({ id, state }: Listed) => state === 'lost' || this.#mayEnd(id)
    await until(async () => (await this.door.list()).every(isLost), { what: `${this.door.session} to be lost` })
    const listed = await this.door.list()
    if (print(listed) !== print(this.terminals)) throw new Error(`records went with tmux\n${this.#explain(listed)}`)
    await this.closeAll()
  }

  async closeAll(): Promise<void> {
    for (const one of await this.door.list()) {
      await this.door.kill(one.id)
      this.#close([one])
    }
    this.terminals = []
    const left = await this.door.list()
    if (left.length > 0) throw new Error(`closed, and still listed: ${print(left)}`)
  }

  /** Waits for what could not be saved at once. */
  async saved(): Promise<void> {
    const isSaved = async () => print(this.host.stored(this.door)) === print(await this.door.list())
    await until(isSaved, { what: `the store of ${this.door.session} to be saved` })
  }

  #choose(limit: number): Operation {
    const { random, terminals } = this
    // A program that was told to hang up may do so at any time, and nothing more could be said of it.
    const half = terminals.find(({ mayHaveEnded }) => mayHaveEnded)
    if (half) return { kind: 'kill', id: half.id }
    const kind = random.pick(['create', 'restart', 'rename', 'rename', 'reorder', 'kill'] as const)
    const last = this.#closed.at(-1)
    if (kind === 'restart' && last && terminals.length < limit) return { kind, ...last }
    if (terminals.length < 2 || (kind === 'create' && terminals.length < limit)) {
      return { kind: 'create', name: `made ${++this.#count}` }
    }
    const { id } = random.pick(terminals)
    if (kind === 'reorder') return { kind, ids: random.shuffled(terminals.map((one) => one.id)) }
    return kind === 'kill' ? { kind, id } : { kind: 'rename', id, name: `named ${++this.#count}` }
  }

  /** Undefined when the host does not know what is to be changed; for a start, the id of what runs. */
  async #send(operation: Operation): Promise<string | undefined> {
    const { door } = this
    if (operation.kind === 'create') return (await door.create(operation.name)).id
    if (operation.kind === 'restart') return (await door.restart(operation.id)).id
    return (await this.#isFound(operation)) ? '' : undefined
  }

  async #isFound(operation: Exclude<Operation, { kind: 'create' | 'restart' }>): Promise<boolean> {
    const { door } = this
    if (operation.kind === 'rename') return door.rename(operation.id, operation.name)
    if (operation.kind === 'reorder') return door.reorder(operation.ids)
    // One that ended after all may be off the list already.
    const isHalf = this.terminals.some(
      (one) => operation.kind === 'kill' && one.id === operation.id && one.mayHaveEnded
    )
    if (operation.kind === 'kill') return (await door.kill(operation.id)).success || isHalf
    return door.remove()
  }

  async #settle(operation: Operation, id: string): Promise<void> {
    if (operation.kind !== 'create' && operation.kind !== 'restart') {
      const after = applied(this.terminals, operation)
      if (operation.kind === 'remove') this.#leaving.push(...this.terminals.map(({ tmuxSession }) => tmuxSession))
      this.#close(this.terminals.filter((one) => !after.some((left) => left.id === one.id)))
      this.terminals = after
      return
    }
    const listed = await this.door.list()
    if (!listed.some((one) => one.id === id)) throw new Error(`"${operation.name}" was started and is not listed`)
    if (!this.#allowed(listed)) throw new Error(`"${operation.name}" was started\n${this.#explain(listed)}`)
    this.#reopen(listed)
    this.terminals = listed.map((one) => this.#modelled(one))
    this.#wasStored = true
  }

  #close(ended: readonly Closed[]): void {
    const known = this.#closed.filter(({ id }) => !ended.some((one) => one.id === id))
    this.#closed = [...known, ...ended.map(({ id, name }) => ({ id, name }))].slice(-REMEMBERED)
  }

  /** What was started again is not closed any more. */
  #reopen(listed: readonly Listed[]): void {
    this.#closed = this.#closed.filter(({ id }) => !listed.some((one) => one.id === id))
  }

  #modelled({ id, name, tmuxSession, pid }: Listed): Modelled {
    const known = this.terminals.find((one) => one.id === id)
    if (known) return { ...known, name, mayHaveEnded: known.mayHaveEnded || this.#isClosing(id) }
    const process = identify(pid ?? 0)
    if (!process) throw new Error(`the program of "${name}" does not run`)
    return { id, name, tmuxSession, process, mayHaveEnded: false }
  }

  #isClosing(id: string): boolean {
    const doubt = this.#doubt
    return doubt?.kind === 'remove' || (doubt?.kind === 'kill' && doubt.id === id)
  }

  #mayEnd(id: string): boolean {
    return this.#isClosing(id) || this.terminals.some((one) => one.id === id && one.mayHaveEnded)
  }

  /** The file as it was before the change in doubt, or as it is after it; closed terminals stay known as ended. */
  #wrongOnDisk(): string[] {
    const aside = this.host.aside(this.door)
    const found = this.host.onDisk(this.door)
    const wrong = aside.map((name) => `a damaged store was found: ${name}`)
    if (!found && this.#wasStored) return [...wrong, 'there is no store']
    this.#wasStored ||= found !== undefined
    const { sessions, ended } = found ?? { sessions: [], ended: [] }
    if (!this.#allowed(sessions)) wrong.push(`the file on disk is neither old nor new: ${print(sessions)}`)
    const isStarted = (id: string) => this.#doubt?.kind === 'restart' && sessions.some((one) => one.id === id)
    const forgotten = this.#closed.filter(({ id }) => !ended.includes(id) && !isStarted(id))
    return forgotten.length === 0 ? wrong : [...wrong, `closed, and not among the ended: ${print(forgotten)}`]
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
      if (this.#mayEnd(id)) return []
      if (state !== 'running') return [`"${name}" is ${state}`]
      if (known ? !isAlive(known.process) : !identify(pid ?? 0)) return [`the program of "${name}" is gone`]
      return []
    })
  }

  #allowed(listed: readonly { id: string; name: string }[]): boolean {
    // One that ended after all leaves the list with the next look at what lives.
    const isThere = ({ id }: Modelled) =>
      this.#isClosing(id) || !this.#mayEnd(id) || listed.some((one) => one.id === id)
    const terminals = this.terminals.filter(isThere)
    const before = print(terminals)
    if (print(listed) === before) return true
    const doubt = this.#doubt
    if (!doubt) return false
    if (doubt.kind === 'restart') return isStartedAgain(listed, { before, started: doubt })
    if (doubt.kind !== 'create') return print(listed) === print(applied(terminals, doubt))
    return print(listed.slice(0, -1)) === before && listed.at(-1)?.name === doubt.name
  }

  #explain(listed: Listed[]): string {
    const files = this.host.filesOf(this.door)
    const history = this.#history.slice(-12).join('\n  ')
    return `expected ${print(this.terminals)}\nlisted   ${print(listed)}\nhistory  ${history}\n${files}\n${this.host.tandem.stderr}`
  }
}

/** Its place is its old one as far as that is there: the others stand as they stood. */
function isStartedAgain(listed: readonly Closed[], { before, started }: { before: string; started: Closed }): boolean {
  const others = listed.filter(({ id }) => id !== started.id)
  return print(others) === before && listed.some(({ id, name }) => id === started.id && name === started.name)
}
