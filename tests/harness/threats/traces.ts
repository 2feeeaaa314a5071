import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processesOf, type Tandem, type World } from '../tandem'

/** Everything of a running product in which a secret could have been left. */
export interface Trace {
  where: string
  text: string
}

/** A running product: its host has secrets in its own environment. */
export type Traced = Pick<Tandem, 'world' | 'stderr'> & { ready: Pick<Tandem['ready'], 'pid'> }

/** What else is known of it: without tmux nothing of it can be left there. */
interface TraceOptions {
  hasTmux?: boolean
}

/** All traces but the two files that keep the owner's token on purpose, 0600 in a 0700 directory. */
export function tracesOf(tandem: Traced, { hasTmux = true }: TraceOptions = {}): Trace[] {
  const { world, ready } = tandem
  return [
    { where: 'stderr', text: tandem.stderr },
    ...files(world.root).filter(({ where }) => !isTokenFile(where, world)),
    ...files(runtimeDirOf(world)),
    ...(hasTmux ? tmuxTraces(world) : []),
    ...commandLines(),
    ...processesOf(world.root)
      .filter((pid) => pid !== ready.pid)
      .map((pid) => ({ where: `environment of ${pid}`, text: read(`/proc/${pid}/environ`) }))
  ]
}

/** Where any of the secrets is found, as it is or as bytes are written down. */
export function leaksOf(traces: readonly Trace[], secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) =>
    spellingsOf(secret).flatMap((spelling) =>
      traces.filter(({ text }) => text.includes(spelling)).map(({ where }) => `${spelling} in ${where}`)
    )
  )
}

/** The text, its bytes in hex as tmux takes them and without a gap, and in base64 wherever in a longer text it begins. */
function spellingsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const shifted = [0, 1, 2].map((before) => {
    const inside = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    // Only whole groups of three bytes that are all of the secret.
    const whole = inside.subarray(0, inside.length - (inside.length % 3)).subarray(before === 0 ? 0 : 3)
    return whole.toString('base64')
  })
  return [secret, hex, hex.replace(/..(?=.)/g, '$& '), ...shifted.filter((spelling) => spelling.length >= 8)]
}

export function runtimeDirOf({ dataDir }: World): string {
  return readFileSync(join(dataDir, 'runtime-dir'), 'utf8').trim()
}

function isTokenFile(path: string, { dataDir }: World): boolean {
  return path === join(dataDir, 'token') || path === join(dataDir, 'endpoint.json')
}

function files(root: string): Trace[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry: Dirent) => join(entry.parentPath, entry.name))
    .map((path) => ({ where: path, text: read(path) }))
}

/** What tmux itself knows: its environment, options, buffers, messages and every session's own. */
function tmuxTraces({ tmux }: World): Trace[] {
  const sessions = tmux('list-sessions', '-F', '#{session_name}').trim().split('\n')
  const asked = [
    ['show-environment', '-g'],
    ...[['-s'], ['-g'], ['-gw']].map((which) => ['show-options', ...which]),
    ['show-hooks', '-g'],
    ['list-buffers', '-F', '#{buffer_name} #{buffer_sample}'],
    ['list-keys'],
    ['show-messages'],
    ['list-panes', '-a', '-F', '#{pane_start_command} #{pane_title} #{pane_current_command}'],
    ...sessions.flatMap((name) => [
      ['show-environment', '-t', `=${name}`],
      ['show-options', '-t', `=${name}:`],
      ['show-hooks', '-t', `=${name}:`]
    ])
  ]
  return asked.map((command) => ({ where: `tmux ${command.join(' ')}`, text: tmux(...command) }))
}

function commandLines(): Trace[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => ({ where: `command line of ${pid}`, text: read(`/proc/${pid}/cmdline`) }))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // gone meanwhile
  }
}
