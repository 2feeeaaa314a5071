import { rmSync } from 'node:fs'
import type { SmallPrograms } from '../smallPrograms'
import { OutputPipe, type PipeParts } from './outputPipe'
import type { RuntimeFiles } from './runtimeFiles'
import { SpareFifos } from './spareFifos'

export interface OutputPipesOptions extends PipeParts {
  files: RuntimeFiles
  programs: SmallPrograms
}

/** Every open pipe of this host, by its path: that is how a relay says whose it is. */
export class OutputPipes {
  readonly #fifos: SpareFifos
  readonly #parts: PipeParts
  readonly #pipes = new Map<string, OutputPipe>()

  constructor({ files, programs, ...parts }: OutputPipesOptions) {
    this.#fifos = new SpareFifos(files, programs)
    this.#parts = parts
  }

  /** Has what the next pipe needs at hand. */
  prepare(): void {
    this.#fifos.prepare()
  }

  async open(listener: (bytes: Buffer) => void): Promise<OutputPipe> {
    const path = await this.#fifos.take()
    const pipe = new OutputPipe(this.#parts, listener)
    try {
      pipe.open(path)
    } catch (failure) {
      rmSync(path, { force: true })
      throw failure
    }
    this.#pipes.set(path, pipe)
    return pipe
  }

  close(pipe: OutputPipe): void {
    this.#pipes.delete(pipe.path)
    try {
      pipe.close()
    } catch (failure) {
      this.#parts.log.warn({ err: failure, path: pipe.path }, 'a pipe was closed, but its file could not be removed')
    }
  }

  relay(path: string, pid: number): void {
    void this.#pipes.get(path)?.relayedBy(pid)
  }

  /** Takes away what no pipe used. */
  stop(): Promise<void> {
    return this.#fifos.stop()
  }
}
