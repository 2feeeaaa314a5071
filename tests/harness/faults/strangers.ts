import { randomUUID } from 'node:crypto'
import type { World } from '../tandem'
import { until } from '../waiting'
import { identify, isAlive, type ProcessIdentity } from './processIdentity'

/** On the host's own tmux server: one session without a stamp, and one that bears the stamp of another owner. */
const NAMES = ['mc-work-zzzz', 'mc-other-zzzz'] as const
const SAYING = 'a stranger'
const FACTS = [
  'session_id',
  'session_created',
  'session_activity',
  'session_attached',
  'window_layout',
  'pane_pid',
  'pane_dead',
  'pane_pipe',
  'pane_in_mode',
  'history_size',
  'cursor_y',
  '@tandem_owner'
] // prettier-ignore

/** Sessions beside the host's own, in its own tmux server, that no operation of the host may touch. */
export class Strangers {
  private constructor(
    private readonly world: World,
    private readonly server: ProcessIdentity,
    private readonly before: string
  ) {}

  /** Undefined when no server runs that they could be in. */
  static async settle(world: World): Promise<Strangers | undefined> {
    const server = serverOf(world)
    if (!server) return undefined
    for (const name of NAMES) world.tmux('new-session', '-d', '-s', name, `echo '${SAYING}'; exec cat`)
    world.tmux('set-option', '-t', `=${NAMES[1]}:`, '@tandem_owner', randomUUID())
    await until(() => NAMES.every((name) => screenOf(world, name).includes(SAYING)), { what: 'the strangers' })
    return new Strangers(world, server, looks(world))
  }

  /** What happened to them; nothing when the whole server went. */
  changes(): string[] {
    if (!isAlive(this.server)) return []
    const before = this.before.split('\n')
    const after = looks(this.world).split('\n')
    return after.flatMap((line, number) => (line === before[number] ? [] : [`${before[number]} became ${line}`]))
  }
}

function serverOf(world: World): ProcessIdentity | undefined {
  try {
    return identify(world.tmuxServerPid())
  } catch (failure) {
    if (/no server running|No such file|error connecting/.test(String(failure))) return undefined
    throw failure
  }
}

function looks(world: World): string {
  const format = FACTS.map((name) => `#{${name}}`).join('|')
  return NAMES.map((name) => {
    const pane = world.tmux('list-panes', '-s', '-t', `=${name}`, '-F', format).trim()
    const rest = [world.tmux('show-options', '-t', `=${name}:`), world.tmux('show-hooks', '-t', `=${name}:`)]
    return `${name} ${pane} ${JSON.stringify([identify(Number(pane.split('|')[5])), ...rest, screenOf(world, name)])}`
  }).join('\n')
}

function screenOf(world: World, name: string): string {
  return world.tmux('capture-pane', '-p', '-S', '-', '-t', `=${name}:`)
}
