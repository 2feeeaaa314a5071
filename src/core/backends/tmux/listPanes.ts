import type { LivingTerminal } from '../backend'
import { decodeStamp } from '../stamp'
import { decodeModes } from './paneState'
import type { Pane, TmuxParts } from './tmuxParts'

const FIELDS = [
  'session_name',
  'pane_id',
  'pane_pid',
  'pane_tty',
  'pane_width',
  'pane_height',
  'session_created',
  'pane_dead_time',
  '@tandem_offset',
  '@tandem_modes',
  '@tandem_stamp'
]
const FORMAT = `living|${FIELDS.map((field) => `#{${field}}`).join('|')}`

export interface FoundPane extends Pane {
  living: LivingTerminal
}

export interface FoundPanes {
  /** Every pane with this owner's stamp, one per session. */
  panes: FoundPane[]
  /** Sessions of ours whose stamp cannot be read: whose they are is not known, but they live. */
  damaged: string[]
}

/** Throws when tmux does not answer: that is not "none". */
export async function listPanes({ control, owner, log }: TmuxParts): Promise<FoundPanes> {
  const filter = `#{==:#{@tandem_owner},${owner}}`
  const lines = await control.run([['list-panes', '-a', '-f', filter, '-F', FORMAT]])
  const found = new Map<string, FoundPane>()
  const damaged = new Set<string>()
  for (const line of lines.filter((candidate) => candidate.startsWith('living|'))) {
    const pane = parsePane(line)
    if (!pane || pane.living.stamp.owner !== owner) {
      log.warn({ pane: line.slice(0, 80) }, 'a stamp of ours is damaged')
      damaged.add(line.split('|')[1] ?? '')
    } else if (!found.has(pane.tmuxSession)) found.set(pane.tmuxSession, pane)
  }
  return { panes: [...found.values()], damaged: [...damaged] }
}

function parsePane(line: string): FoundPane | undefined {
  const [, tmuxSession, paneId, pidText, tty, cols, rows, began = '', ended = '', offset, modes = '', encoded = ''] =
    line.split('|')
  const stamp = decodeStamp(encoded)
  if (!stamp || !tmuxSession || !paneId || !tty) return undefined
  const pid = Number(pidText)
  const size = { rows: Number(rows), cols: Number(cols) }
  const lifetime = { startedAt: timeOf(began), endedAt: timeOf(ended) }
  const living = { tmuxSession, stamp, pid, size, reservedOffset: Number(offset), modes: decodeModes(modes), lifetime }
  return { tmuxSession, paneId, pid, tty, living }
}

/** tmux tells times in whole seconds, and nothing for what has not happened. */
function timeOf(seconds: string): string | null {
  return /^[1-9]\d{0,10}$/.test(seconds) ? new Date(Number(seconds) * 1000).toISOString() : null
}
