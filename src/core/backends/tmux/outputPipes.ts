import type { ProcessTable } from '../processTable'
import { OutputPipe } from './outputPipe'
import type { RuntimeFiles } from './runtimeFiles'

/** Every open pipe of this host, by its path: that is how a relay says whose it is. */
export class OutputPipes {
  readonly #files: RuntimeFiles
  readonly #processes: ProcessTable
  readonly #pipes = new Map<string, OutputPipe>()

  constructor({ files, processes }: { files: RuntimeFiles; processes: ProcessTable }) {
    this.#files = files
    this.#processes = processes
  }

  async open(listener: (bytes: Buffer) => void): Promise<OutputPipe> {
    const path = this.#files.path('o')
    const pipe = new OutputPipe(this.#processes, listener)
    await pipe.open(path)
    this.#pipes.set(path, pipe)
    return pipe
  }

  close(pipe: OutputPipe): void {
    this.#pipes.delete(pipe.path)
    pipe.close()
  }

  relay(path: string, pid: number): void {
    void this.#pipes.get(path)?.relayedBy(pid)
  }
}
