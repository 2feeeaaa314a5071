import { rmSync } from 'node:fs'
import { makeFifos } from './fifo'
import type { RuntimeFiles } from './runtimeFiles'

const SPARE_COUNT = 4

/** FIFOs made ahead and several at a time: making one takes a process, and a new terminal would wait for it. */
export class SpareFifos {
  readonly #files: RuntimeFiles
  readonly #spare: string[] = []
  #making: Promise<void> | undefined
  #waiting = 0

  constructor(files: RuntimeFiles) {
    this.#files = files
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
      if (this.#spare.length < 2) this.prepare()
    }
  }

  /** Makes some in the background; what stands in the way is told to whoever needs one. */
  prepare(): void {
    this.#make().catch(() => undefined)
  }

  async stop(): Promise<void> {
    await this.#making?.catch(() => undefined)
    for (const path of this.#spare.splice(0)) rmSync(path, { force: true })
  }

  #make(): Promise<void> {
    this.#making ??= this.#makeSome(this.#waiting + SPARE_COUNT).finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  async #makeSome(count: number): Promise<void> {
    const paths = Array.from({ length: count }, () => this.#files.path('o'))
    await makeFifos(paths)
    this.#spare.push(...paths)
  }
}
