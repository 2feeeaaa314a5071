import { rmSync } from 'node:fs'
import type { SmallPrograms } from '../smallPrograms'
import type { RuntimeFiles } from './runtimeFiles'

const SPARE_COUNT = 16
/** Programs cost everybody time: spares are made when nobody has asked for a while. */
const QUIET_MS = 500

/** FIFOs made ahead and several at a time: making one takes a process, and a new terminal would wait for it. */
export class SpareFifos {
  readonly #files: RuntimeFiles
  readonly #programs: SmallPrograms
  readonly #spare: string[] = []
  #making: Promise<void> | undefined
  #waiting = 0
  #refill: NodeJS.Timeout | undefined

  constructor(files: RuntimeFiles, programs: SmallPrograms) {
    this.#files = files
    this.#programs = programs
  }

  /** The path of one that nobody has used. */
  async take(): Promise<string> {
    this.#waiting += 1
    try {
      for (;;) {
        const path = this.#spare.shift()
        if (path !== undefined) return path
        await this.#make()
      }
    } finally {
      this.#waiting -= 1
      this.#prepareLater()
    }
  }

  /** Makes some in the background; what stands in the way is told to whoever needs one. */
  prepare(): void {
    this.#make().catch(() => undefined)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#refill)
    await this.#making?.catch(() => undefined)
    for (const path of this.#spare.splice(0)) rmSync(path, { force: true })
  }

  #prepareLater(): void {
    clearTimeout(this.#refill)
    if (this.#spare.length < SPARE_COUNT / 2) this.#refill = setTimeout(() => this.prepare(), QUIET_MS).unref()
  }

  #make(): Promise<void> {
    this.#making ??= this.#makeSome(this.#waiting + SPARE_COUNT - this.#spare.length).finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  async #makeSome(count: number): Promise<void> {
    const paths = Array.from({ length: count }, () => this.#files.path('o'))
    await this.#programs.run({ fifos: paths })
    this.#spare.push(...paths)
  }
}
