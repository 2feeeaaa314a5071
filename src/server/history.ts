import type { Audit, AuditEntry } from '../core/data/audit'
import type { Workspaces } from '../core/workspace/workspaces'
import { type Access, maySee } from '../shared/access'
import type { HistoryEntry } from '../shared/history'
import type { Actor, CommandRecord } from '../shared/terminal'

/** As much as anyone scrolls through. */
const MAX_ENTRIES = 200
/** Trails of windows and hosts that come and go; they say nothing about the work. */
const UNTOLD: ReadonlySet<string> = new Set(['attach', 'detach', 'start', 'stop', 'hand-over'])
/** How windows and our own commands call themselves; whoever else comes is an agent. */
const OWN_CLIENTS = /^(browser|window|tandem-[a-z]+)$/

/** Tools that type. */
const TYPING = /^(terminal__send|send_to_terminal|execute_\w+)$/

export interface HistoryParts {
  workspaces: Workspaces
  audit: Audit
  access: Access
}

/** Who did what: commands of every terminal and what the audit trail holds, newest first. */
export function historyOf({ workspaces, audit, access }: HistoryParts): HistoryEntry[] {
  const commands = workspaces.activity.terminals().flatMap(({ id, commands }) => {
    const place = workspaces.placeOf(id)
    if (!place || !maySee(access, place.project)) return []
    const { project, session, name } = place
    return commands.all().map((record) => ({
      ...commandEntry(record),
      terminal: { id, name },
      workspace: { project, session }
    }))
  })
  const deeds = audit.list(access, Number.MAX_SAFE_INTEGER).filter(({ action }) => !UNTOLD.has(action))
  // Sorted from the oldest on: of two within a millisecond the one recorded later is the newer.
  const entries = [...commands, ...deeds.map(auditEntry)].toSorted((one, other) => one.time.localeCompare(other.time))
  return gathered(entries.filter(isNews).toReversed()).slice(0, MAX_ENTRIES)
}

function commandEntry({ id, started, actor, command, exitCode, durationMs, running }: CommandRecord) {
  return { id, time: started, actor, deed: { kind: 'command', command, exitCode, durationMs, running } as const }
}

function auditEntry({ id, time, actor, action, terminal, project, session, to, outcome }: AuditEntry): HistoryEntry {
  return {
    id: `deed_${id}`,
    time,
    actor: actorOfTrail(actor),
    terminal: terminal ?? null,
    workspace: project === undefined || session === undefined ? null : { project, session },
    deed: { kind: 'action', action, outcome, times: 1, ...(to === undefined ? {} : { to }) }
  }
}

function actorOfTrail({ token, client }: AuditEntry['actor']): Actor {
  return OWN_CLIENTS.test(client)
    ? { kind: 'person', name: token }
    : { kind: 'agent', name: client, key: `${token}\n${client}` }
}

/** Typing that ran a command is told by the command. */
function isNews(entry: HistoryEntry, index: number, all: readonly HistoryEntry[]): boolean {
  const { deed, actor, terminal } = entry
  if (deed.kind !== 'action' || deed.outcome !== 'OK' || !TYPING.test(deed.action)) return true
  return ![all[index - 1], all[index + 1]].some(
    (beside) =>
      beside?.deed.kind === 'command' && beside.actor?.name === actor?.name && beside.terminal?.id === terminal?.id
  )
}

/** An agent that types one key after another is one line, not a hundred. */
function gathered(entries: HistoryEntry[]): HistoryEntry[] {
  const lines: HistoryEntry[] = []
  for (const entry of entries) {
    const newer = lines.at(-1)
    if (newer?.deed.kind === 'action' && isSame(newer, entry)) {
      lines[lines.length - 1] = { ...newer, deed: { ...newer.deed, times: newer.deed.times + 1 } }
    } else lines.push(entry)
  }
  return lines
}

function isSame(one: HistoryEntry, other: HistoryEntry): boolean {
  const told = ({ actor, terminal, workspace, deed }: HistoryEntry) =>
    deed.kind === 'action' && JSON.stringify([actor?.name, terminal?.id, workspace, deed.action, deed.outcome, deed.to])
  return told(one) === told(other)
}
