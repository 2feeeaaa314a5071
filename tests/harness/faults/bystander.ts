import { execFileSync } from 'node:child_process'
import type { World } from '../tandem'
import { identify } from './processIdentity'

// Names that a careless pattern, a prefix match or an unquoted target would take for ours.
const NAMES = [
  'mc-work-aaaa',
  'mc-default-0000',
  'mc-',
  'mc',
  'tandem',
  'tandem-control-00000000',
  'work',
  'w',
  '0',
  '1',
  '007',
  'two words',
  ' leading',
  'ünïcødé',
  '日本',
  '=mc-work',
  '$1',
  '@2',
  '%3',
  '*'
] // prettier-ignore

const FACTS = [
  'session_id',
  'session_name',
  'session_created',
  'session_activity',
  'session_attached',
  'window_id',
  'window_name',
  'window_layout',
  'window_active',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_pipe',
  'pane_in_mode',
  'pane_width',
  'pane_height',
  'history_size',
  'history_bytes',
  'cursor_x',
  'cursor_y',
  'alternate_on',
  '@tandem_owner'
] // prettier-ignore

/** A person's own tmux, on the default socket of the world's TMUX_TMPDIR: nothing in it may ever change. */
export class Bystander {
  readonly #world: World
  readonly #before: string

  constructor(world: World) {
    this.#world = world
    const sessions = NAMES.map((name, number) => [
      'new-session',
      '-d',
      '-n',
      'own',
      '-s',
      name,
      `printf 'mine %s' ${number}; exec cat`
    ])
    const words = sessions.flatMap((command) => [...command, ';'])
    this.#tmux('-f', '/dev/null', ...words, 'set-option', '-g', '@mine', 'yes')
    while ((this.#captures().match(/mine \d/g) ?? []).length < NAMES.length)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    this.#before = this.#everything()
  }

  /** What changed since the beginning; nothing, one hopes. */
  changes(): string[] {
    const before = this.#before.split('\n')
    const after = this.#everything().split('\n')
    return after.flatMap((line, number) => (line === before[number] ? [] : [`${before[number]} became ${line}`]))
  }

  #everything(): string {
    const panes = this.#tmux('list-panes', '-a', '-F', FACTS.map((name) => `#{${name}}`).join('|'))
    const starts = this.#tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number).map(identify)
    const settings = ['-g', '-s', '-gw'].map((scope) => this.#tmux('show-options', scope))
    const rest = [this.#tmux('show-environment', '-g'), this.#tmux('list-clients'), this.#tmux('list-buffers')]
    return [panes, JSON.stringify(starts), ...settings, ...rest, this.#captures()].join('\n')
  }

  #captures(): string {
    const panes = this.#tmux('list-panes', '-a', '-F', '#{pane_id}').trim().split('\n')
    return this.#tmux(...panes.flatMap((pane) => ['capture-pane', '-p', '-e', '-S', '-', '-t', pane, ';']).slice(0, -1))
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', 'default', ...args], { env: this.#world.environment, encoding: 'utf8' })
  }
}
