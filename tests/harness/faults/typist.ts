import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tab } from '../tab'
import { until } from '../waiting'
import type { Door } from './door'
import type { FaultHost } from './faultHost'

/** Types numbers into a program that keeps them in a file: each must arrive once, in order, and none that was seen is lost. */
export class Typist {
  readonly door: Door
  tmuxSession = ''
  #file = ''
  #starts = 0
  #next = 0
  #confirmed = 0

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
    this.#confirmed = 0
    await this.start()
  }

  /** Types and waits until the program has it. */
  async type(count: number): Promise<void> {
    const tab = await Tab.open(this.host.tandem, this.tmuxSession)
    for (let number = 0; number < count; number += 1) tab.type(`${++this.#next}\r`)
    await until(() => this.#lines().includes(this.#next), { what: `${this.#next} in the file` })
    this.#confirmed = this.#next
    tab.close()
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
    if (this.#confirmed > 0) await tab.sees(String(this.#confirmed))
    tab.close()
  }

  verify(): void {
    const lines = this.#lines()
    const wrong = lines.findIndex((line, index) => index > 0 && line <= (lines[index - 1] ?? 0))
    if (wrong !== -1)
      throw new Error(`typed numbers came doubled or out of order: ${lines.slice(wrong - 2, wrong + 2)}`)
    if (this.#confirmed > 0 && !lines.includes(this.#confirmed))
      throw new Error(`${this.#confirmed} was typed, seen and is gone`)
  }

  #lines(): number[] {
    return readFileSync(this.#file, 'utf8').split('\n').filter(Boolean).map(Number)
  }
}
