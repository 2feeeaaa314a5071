import type { AgentReport } from '../../../shared/activity'
import { claudeCodeState } from './claudeCodeEvents'
import { codexState } from './codexEvents'
import { opencodeState } from './opencodeEvents'

/** What a client's event says about the agent; undefined: nothing that a person need know. */
export type HookState = Pick<AgentReport, 'state' | 'message'> | undefined

/** An event as a client sends it: foreign data, each field looked at for its type. */
export type HookEvent = Readonly<Record<string, unknown>>

interface HookSpeaker {
  title: string
  stateOf(event: HookEvent): HookState
}

/** The clients whose hooks can tell how the agent stands, and how each says it. */
const SPEAKERS: Readonly<Record<string, HookSpeaker>> = {
  'claude-code': { title: 'Claude Code', stateOf: claudeCodeState },
  codex: { title: 'Codex', stateOf: codexState },
  opencode: { title: 'opencode', stateOf: opencodeState }
}

export const HOOK_SPEAKERS: readonly string[] = Object.keys(SPEAKERS)

/** The report that an event of this client makes; undefined when it makes none. */
export function reportOf(client: string, text: string): AgentReport | undefined {
  const speaker = Object.hasOwn(SPEAKERS, client) ? SPEAKERS[client] : undefined
  const event = eventIn(text)
  const found = event && speaker?.stateOf(event)
  return speaker && found ? { agent: speaker.title, ...found } : undefined
}

function eventIn(text: string): HookEvent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}
