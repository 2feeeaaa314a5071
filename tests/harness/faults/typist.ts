import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tab } from '../tab'
import { pause, until } from '../waiting'
import type { Door } from './door'
import type { FaultHost } from './faultHost'

/** Types numbers into a program that keeps them in a file: each must arrive whole, once and in order; what was waited for stays. */
export class Typist {
  readonly door: Door
  tmuxSession = ''
  #file = ''
  #starts = 0
  #next = 0
  /** Every number that had arrived. */
  readonly #confirmed = new Set<string>()

  constructor(private readonly host: FaultHost) {
    this.door = host.door('typist')
  }

  async start(): Promise<void> {
    this.#file = join(this.host.world.root, `typed${++this.#starts}`)
    this.tmuxSession = (await this.door.create('typist')).tmuxSession
    const tab = await Tab.open(this.host.tandem, this.tmuxSession)
    tab.type(`exec cat > ${this.#file}\r`)
    await until(() => existsSync(this.#file), { what: 'the file of the typist' })
    tab.close()
  }

  /** Its terminal was lost: another one, another file. */
  async startAnew(): Promise<void> {
    for (const { id } of await this.door.list()) await this.door.kill(id)
    this.#confirmed.clear()
    await this.start()
  }

  /** Types and waits until the program has it; what it typed. */
  async type(count: number, everyMs = 0): Promise<string[]> {
    const tab = await Tab.open(this.host.tandem, this.tmuxSession)
    const typed: string[] = []
    for (let number = 0; number < count; number += 1) {
      typed.push(String(++this.#next))
      tab.type(`${this.#next}\r`)
      if (everyMs > 0) await pause(everyMs)
    }
    await until(() => this.#lines().includes(String(this.#next)), { what: `${this.#next} in the file` })
    for (const number of typed) this.#confirmed.add(number)
    tab.close()
    return typed
  }

  /** Types into the unknown: what follows may lose some of it, but double or mix nothing. */
  async typeBlindly(count: number): Promise<void> {
    const tab = await Tab.open(this.host.tandem, this.tmuxSession)
    for (let number = 0; number < count; number += 1) tab.type(`${++this.#next}\r`)
    setTimeout(() => tab.close(), 50)
  }

  /** What is on the screen is what was typed last. */
  async read(): Promise<void> {
    const tab = await Tab.open(this.host.tandem, this.tmuxSession)
    const last = [...this.#confirmed].at(-1)
    if (last !== undefined) await tab.sees(last)
    tab.close()
  }

  verify(): void {
    const lines = this.#lines()
    const foreign = lines.filter((line) => !/^[1-9]\d*$/.test(line) || Number(line) > this.#next)
    if (foreign.length > 0) throw new Error(`nobody typed ${JSON.stringify(foreign)}`)
    const wrong = lines.findIndex((line, index) => index > 0 && Number(line) <= Number(lines[index - 1]))
    if (wrong !== -1)
      throw new Error(`typed numbers came doubled or out of order: ${lines.slice(wrong - 2, wrong + 2)}`)
    const there = new Set(lines)
    const gone = [...this.#confirmed].filter((number) => !there.has(number))
    if (gone.length > 0) throw new Error(`typed, waited for and gone: ${gone.join()}`)
  }

  /** Whole lines only: the last one may be on its way. */
  #lines(): string[] {
    return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)
  }
}
