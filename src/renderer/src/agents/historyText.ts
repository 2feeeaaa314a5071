import { ERRORS, type ErrorCode } from '../../../shared/errors'
import type { ActionDeed, CommandDeed, HistoryEntry } from '../../../shared/history'
import { durationText } from '../durationText'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

const text = strings.activity
const ACTIONS: Readonly<Record<string, string>> = text.actions
const TRIES: Readonly<Record<string, string>> = text.tries
const ACTIONS_TO: Readonly<Record<string, (to: string) => string>> = text.actionsTo
/** From here on a failure is not the caller's. */
const FAILED_STATUS = 500

/** Under whose name an entry is found: agents by theirs, every person as one. */
export function actorOf({ actor }: HistoryEntry): string | null | undefined {
  if (actor === null) return undefined
  return actor.kind === 'agent' ? actor.name : null
}

/** `idle`: it has ended, and nobody knows how. */
export type EndMark = 'working' | 'done' | 'failed' | 'idle'

/** How a command ended, as mark and words. */
export function endOf({ running, exitCode, durationMs }: Omit<CommandDeed, 'kind' | 'command'>): {
  mark: EndMark
  words: string
} {
  if (running) return { mark: 'working', words: text.running }
  const words = [
    exitCode === null ? text.ended : text.exit(exitCode),
    durationMs === null ? '' : durationText(durationMs)
  ]
  return {
    mark: exitCode === null ? 'idle' : exitCode === 0 ? 'done' : 'failed',
    words: words.filter(Boolean).join(' · ')
  }
}

/** What was done; of what was refused, what was wanted. */
export function actionText(deed: ActionDeed): string {
  const words = deed.outcome === 'OK' ? doneText(deed) : text.tried(TRIES[deed.action] ?? text.use(deed.action))
  return deed.times > 1 ? text.repeated(words, deed.times) : words
}

function doneText({ action, to }: ActionDeed): string {
  const told = to === undefined ? undefined : ACTIONS_TO[action]?.(displayText(to))
  return told ?? ACTIONS[action] ?? text.used(action)
}

/** Why something was not done, in words; nothing when it was. */
export function refusalText({ outcome }: ActionDeed): string | undefined {
  if (outcome === 'OK') return undefined
  if (!isErrorCode(outcome)) return text.refused(outcome)
  const say = ERRORS[outcome].status < FAILED_STATUS ? text.refused : text.failed
  return say(text.reasons[outcome])
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

export function clock(time: string): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false })
}
