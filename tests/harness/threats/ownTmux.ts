import { execFileSync } from 'node:child_process'
import type { World } from '../tandem'

/** The person's own tmux server, on the default socket of this world. */
export interface OwnTmux {
  sessions: readonly string[]
  /** What tmux tells the programs in its first pane, by which they find it. */
  inside: { TMUX: string; TMUX_PANE: string }
  /** Everything there is to know about it, in one text. */
  state(): string
  end(): void
}

/** Names that mean something to tmux as a target, to a shell, or to our own server. */
function hostileNames(canary: string): string[] {
  return [
    ...['mc-work-aaaa', 'mc-work-', 'mc-', 'mc', 'tandem', 'tandem-control', 'tandem-control-00000000', 'work'],
    ...['=mc-work-aaaa', '{last}', '{marked}', '$0', '$1', '%0', '%1', '@1', '*', 'mc*', '~', '!', '+', '-1'],
    ...[`#(touch ${canary})`, `$(touch ${canary})`, 'a b', 'a;kill-server', 'é🜁', '0', 'default']
  ]
}

export function startOwnTmux(world: World): OwnTmux {
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', 'default', '-f', '/dev/null', ...args], { env: world.environment, encoding: 'utf8' })
  for (const name of hostileNames(`${world.root}/canary`)) {
    tmux('new-session', '-d', '-x', '80', '-y', '24', '-s', name.replaceAll('#', '##'), 'echo "mine"; exec cat')
  }
  tmux('set-option', '-g', '@mine', 'kept')
  tmux('set-buffer', '-b', 'mine', 'my own words')
  const ids = (of: string) => tmux('list-panes', '-a', '-F', `#{${of}_id}`).trim().split('\n')
  const FACTS =
    '#{session_id} #{session_name} #{session_created} #{window_id} #{pane_id} #{pane_pid} #{pane_dead} #{pane_width}'
  const state = () =>
    [
      tmux('list-panes', '-a', '-F', `${FACTS} #{session_attached} #{pane_pipe} #{pane_in_mode}`),
      ...[['-s'], ['-g'], ['-gw']].map((which) => tmux('show-options', ...which)),
      tmux('display-message', '-p', '#{pid} #{socket_path}'),
      tmux('show-hooks', '-g'),
      ...ids('session').flatMap((id) => ['show-options', 'show-hooks'].map((show) => tmux(show, '-t', id))),
      tmux('show-environment', '-g'),
      tmux('list-buffers'),
      tmux('list-keys'),
      tmux('list-clients'),
      ...ids('pane').map((id) => tmux('capture-pane', '-p', '-t', id))
    ].join('\n')
  return {
    sessions: tmux('list-sessions', '-F', '#{session_name}').trim().split('\n'),
    inside: { TMUX: tmux('display-message', '-p', '#{socket_path},#{pid},0').trim(), TMUX_PANE: '%0' },
    state,
    end: () => tmux('kill-server')
  }
}
