import { basename } from 'node:path'
import type { AgentState } from '../shared/activity'
import type { CommandRecord, ControlState, WorkspaceKey } from '../shared/terminal'
import type { WindowNotice } from './notices'
import { strings } from './strings'

/** Ended because somebody pressed Ctrl+C or asked it to stop: no news to them. */
const STOPPED_CODES = [130, 143]

export interface NoticeRules {
  notifications: 'all' | 'needs-you' | 'none'
  /** Seconds after which a command took long. */
  notify_after: number
}

type Need = Pick<ControlState, 'needsPerson'>

/** What to say about a terminal that waits for the person; undefined when that is nothing new or not wanted. */
export function needsYouNotice(
  name: string,
  { before, now, rules }: { before: Need | undefined; now: Need; rules: NoticeRules }
): WindowNotice | undefined {
  if (rules.notifications === 'none' || !now.needsPerson || before?.needsPerson) return undefined
  return { title: strings.needsYou(name), body: strings.needsYouBody, isUrgent: true }
}

/** What to say about an agent that runs in a terminal and asks the person something: where, and the question. */
export function askingNotice(
  { project, session, name }: WorkspaceKey & { name: string },
  { state, message, name: agent }: AgentState,
  { notifications }: NoticeRules
): WindowNotice | undefined {
  if (notifications === 'none' || state !== 'needs-you') return undefined
  const title = strings.asksIn(basename(project) || project, session, name)
  return { title, body: message ?? strings.asks(agent), isUrgent: true }
}

/** What to say about a command that is over. */
export function finishedNotice(
  name: string,
  record: Pick<CommandRecord, 'durationMs' | 'exitCode' | 'command'>,
  rules: NoticeRules
): WindowNotice | undefined {
  const { durationMs, exitCode, command } = record
  if (rules.notifications !== 'all' || durationMs === null || durationMs < rules.notify_after * 1000) return undefined
  if (exitCode !== null && STOPPED_CODES.includes(exitCode)) return undefined
  const title = exitCode === 0 ? strings.finished(name) : strings.failed(name, exitCode)
  return { title, body: oneLine(command), isUrgent: false }
}

function oneLine(command: string): string {
  const [first = '', ...more] = command.trim().split('\n')
  const shown = first.slice(0, 120)
  return more.length > 0 || shown.length < first.length ? `${shown} …` : shown
}
