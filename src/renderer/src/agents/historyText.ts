import type { ActionDeed, CommandDeed, HistoryEntry } from '../../../shared/history'
import { strings } from '../strings'

const text = strings.activity
const ACTIONS: Readonly<Record<string, string>> = text.actions

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
  const words = [exitCode === null ? text.ended : text.exit(exitCode), durationMs === null ? '' : duration(durationMs)]
  return {
    mark: exitCode === null ? 'idle' : exitCode === 0 ? 'done' : 'failed',
    words: words.filter(Boolean).join(' · ')
  }
}

export function actionText({ action, times }: ActionDeed): string {
  const words = ACTIONS[action] ?? text.used(action)
  return times > 1 ? text.repeated(words, times) : words
}

/** As exact as anyone reads it. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return text.milliseconds(milliseconds)
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return text.seconds((tenths / 10).toFixed(1))
  const seconds = Math.round(milliseconds / 1_000)
  return text.minutes(Math.floor(seconds / 60), seconds % 60)
}

export function clock(time: string): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false })
}
