import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Tandem } from '../tandem'
import { pause } from '../waiting'

/** Written when a shell says how far it is, whoever asks or does not ask. */
const OF_SHELLS = /\.log$|\/commands\//

/** A hash over everything a request could change: what lives, what is on disk, who may come in. */
export async function truthOf(tandem: Tandem): Promise<string> {
  const { world } = tandem
  const workspaces = await tandem.api('GET', '/api/workspaces')
  const panes = world.tmux(
    'list-panes',
    '-a',
    '-F',
    '#{session_name} #{pane_id} #{pane_pid} #{pane_width} #{@tandem_stamp}'
  )
  const facts = [JSON.stringify(workspaces.body), panes, ...filesIn(world.project), ...filesIn(world.dataDir)]
  return createHash('sha256').update(facts.join('\n')).digest('hex')
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(root, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && !OF_SHELLS.test(path))
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
}

/** The truth once it has stayed the same for a second: shells and pages that are still starting change it by themselves. */
export async function truthAtRest(tandem: Tandem): Promise<string> {
  for (let last = await truthOf(tandem); ; ) {
    await pause(1000)
    const now = await truthOf(tandem)
    if (now === last) return now
    last = now
  }
}
