import type { CallMarkers } from './callMarkers'
import { RunningAgent } from './runningAgent'
import type { ShellInput } from './shellInput'

export type ShellPhase = 'unknown' | 'prompt' | 'running'

export interface LineEnd {
  exitCode: number
  /** The end of what it printed in the log. */
  at: number
}

/** What a terminal's shell said last about itself. Without our marks: `unknown`. */
export class ShellState {
  /** How the shell is given a line. */
  readonly input: ShellInput | undefined
  /** For shells that tell nothing by themselves. */
  readonly markers: CallMarkers
  /** The agent that runs in the terminal and tells how it stands. */
  readonly agent = new RunningAgent({ isAtPrompt: () => this.#state === 'prompt' })
  readonly #listeners = new Set<() => void>()
  readonly #unruns = new Set<(isIncomplete: boolean) => void>()
  /** Resolves when the next host, too, would know what is known now. */
  keep: () => Promise<void> = async () => undefined
  /** How and where the last line ended, also one that was no command at all. */
  lastEnd: LineEnd | undefined
  /** How many rows the last prompt has. */
  promptRows = 1
  /** Where the prompt ended that was first drawn again after a line that was not run. */
  redrawnAt: number | undefined
  #isIntegrated = false
  #state: ShellPhase = 'unknown'
  #cwd: string | undefined
  #prompts = 0
  #runs = 0

  constructor({ input, markers }: { input: ShellInput | undefined; markers: CallMarkers }) {
    this.input = input
    this.markers = markers
  }

  /** Whether the shell tells us where its commands begin and end. */
  get isIntegrated(): boolean {
    return this.#isIntegrated
  }

  /** `prompt`: it waits for a command. `running`: a command runs, or the next prompt is being made. */
  get state(): ShellPhase {
    return this.#state
  }

  /** How often a prompt was drawn, the same one again included. */
  get prompts(): number {
    return this.#prompts
  }

  /** How often a command began. */
  get runs(): number {
    return this.#runs
  }

  /** A command runs; where it is an agent, one that is at work. */
  get isWorking(): boolean {
    const { current } = this.agent
    return this.#state === 'running' && (current === null || current.state === 'working')
  }

  get cwd(): string | undefined {
    return this.#cwd
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The shell was given a line that is not complete, or that makes no sense, and did not run it. */
  onUnrun(listener: (isIncomplete: boolean) => void): () => void {
    this.#unruns.add(listener)
    return () => this.#unruns.delete(listener)
  }

  /** For those who read the marks. */
  didNotRun(isIncomplete: boolean): void {
    this.redrawnAt = undefined
    for (const listener of this.#unruns) listener(isIncomplete)
  }

  /** For those who read the marks. */
  set(change: { state?: ShellPhase; cwd?: string }): void {
    const { state = this.#state, cwd = this.#cwd } = change
    if (state === this.#state && cwd === this.#cwd && change.state !== 'prompt') return
    if (change.state === 'prompt') this.#prompts++
    if (change.state === 'running' && this.#state !== 'running') this.#runs++
    this.#state = state
    this.#cwd = cwd
    this.#isIntegrated = state !== 'unknown'
    // Whatever ran is over, an agent too.
    if (state === 'prompt') this.agent.left()
    for (const listener of this.#listeners) listener()
  }
}
