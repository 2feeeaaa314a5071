import type { AuditEntry } from '../core/data/audit'
import { strings } from './strings'

const ACTIONS: Readonly<Record<string, string>> = strings.logActions

/** One line of the trail as a person reads it: when by their own clock, who, what, in which terminal, and what came of it. */
export function logRow({ time, actor, action, terminal, project, session, outcome }: AuditEntry): string[] {
  const named = terminal ? `${terminal.name} (sess_${terminal.id.slice(0, 8)})` : '-'
  const where = project === undefined ? '-' : `${project} (${session ?? ''})`
  const did = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : action
  const came = outcome === 'OK' ? outcome : strings.logRefused(outcome)
  return [localTime(time), strings.logWho(actor.client, actor.token), did ?? action, named, where, came]
}

/** `2026-11-18 09:05:07`; what is no time is shown as it is. */
function localTime(time: string): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return time
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}
