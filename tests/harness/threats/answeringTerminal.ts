import xterm from '@xterm/headless'
import { type IPty, spawn } from 'node-pty'
import { ENTRY, type World } from '../tandem'

const SIZE = { cols: 80, rows: 24 }

/** A person's own terminal, which answers every query that it is shown, with `tandem attach` running in it. */
export class AnsweringTerminal {
  readonly #pty: IPty
  readonly #emulator = new xterm.Terminal({ ...SIZE, scrollback: 20_000, allowProposedApi: true })
  /** What it tried to type by itself. */
  answers = ''
  shown = ''
  exitCode: number | undefined

  constructor(world: World, terminal: string, flags: string[] = []) {
    const words = [ENTRY, 'attach', '--data-dir', world.dataDir, ...flags, terminal]
    this.#pty = spawn(process.execPath, words, { ...SIZE, env: { ...world.environment, TERM: 'xterm-256color' } })
    this.#emulator.onData((data) => {
      this.answers += data
      this.#pty.write(data)
    })
    this.#pty.onData((data) => {
      this.shown += data
      this.#emulator.write(data)
    })
    this.#pty.onExit(({ exitCode }) => {
      this.exitCode = exitCode
    })
  }

  type(bytes: Buffer): void {
    this.#pty.write(bytes)
  }

  end(): void {
    if (this.exitCode === undefined) this.#pty.kill('SIGKILL')
    this.#emulator.dispose()
  }
}
