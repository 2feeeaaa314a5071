import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Tandem } from '../tandem'

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
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && !path.endsWith('.log'))
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
}
