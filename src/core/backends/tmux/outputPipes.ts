import type { ProcessTable } from '../processTable'
import { OutputPipe } from './outputPipe'
import type { RuntimeFiles } from './runtimeFiles'
import { SpareFifos } from './spareFifos'

/** Every open pipe of this host, by its path: that is how a relay says whose it is. */
export class OutputPipes {
  readonly #fifos: SpareFifos
  readonly #processes: ProcessTable
  readonly #pipes = new Map<string, OutputPipe>()

  constructor({ files, processes }: { files: RuntimeFiles; processes: ProcessTable }) {
    this.#fifos = new SpareFifos(files)
    this.#processes = processes
  }

  /** Has what the next pipe needs at hand. */
  prepare(): void {
    this.#fifos.prepare()
  }

  async open(listener: (bytes: Buffer) => void): Promise<OutputPipe> {
    const path = await this.#fifos.take()
    const pipe = new OutputPipe(this.#processes, listener)
    pipe.open(path)
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

  /** Takes away what no pipe used. */
  stop(): Promise<void> {
    return this.#fifos.stop()
  }
}
