import { execFileSync } from 'node:child_process'
import type { World } from './tandem'
import { until } from './waiting'

let shells = 0

/** A person's own terminal: a program in a pane of a tmux server that is none of the product's. */
export class ScreenShell {
  readonly #world: World
  readonly #socket: string

  constructor(world: World, command: string, { columns = 90, rows = 24 } = {}) {
    this.#world = world
    this.#socket = `tandem-test-${process.pid}-screen-${++shells}`
    const place = ['-x', `${columns}`, '-y', `${rows}`, '-c', world.home]
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...place, '-s', 'person', command)
    this.#tmux('set-option', '-g', 'remain-on-exit', 'on')
  }

  /** Keys by tmux's names: `Enter`, `C-]`, `Tab`. */
  press(...keys: string[]): void {
    this.#tmux('send-keys', '-t', '=person:', ...keys)
  }

  type(text: string): void {
    this.#tmux('send-keys', '-t', '=person:', '-l', text)
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', '=person:', '-x', `${columns}`, '-y', `${rows}`)
  }

  get text(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-t', '=person:', '-S', '-')
  }

  /** A format of the pane: `#{alternate_on}`, `#{mouse_any_flag}`. */
  ask(format: string): string {
    return this.#tmux('display-message', '-p', '-t', '=person:', format).trim()
  }

  async sees(pattern: string | RegExp): Promise<void> {
    const found = () => (typeof pattern === 'string' ? this.text.includes(pattern) : pattern.test(this.text))
    await until(found, { what: `${pattern} in ${JSON.stringify(this.text.slice(-600))}` })
  }

  end(): void {
    this.#tmux('kill-server')
  }

  #tmux(...args: string[]): string {
    const env = { ...this.#world.environment, TERM: 'xterm-256color' }
    return execFileSync('tmux', ['-L', this.#socket, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    })
  }
}
