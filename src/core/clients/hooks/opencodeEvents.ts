import { askedQuestion, fieldOf, firstText } from './eventFields'
import type { HookEvent, HookState } from './hookEvents'

/** The events of its bus that say how opencode stands; our plugin passes these on and no others. */
export const OPENCODE_EVENTS = [
  'session.status',
  'session.idle',
  'permission.asked',
  'permission.updated',
  'permission.replied',
  'question.asked',
  'question.replied',
  'question.rejected'
] as const

/** How opencode stands after one of its events; permissions are `updated` in older versions and `asked` in newer ones. */
export function opencodeState({ type, properties }: HookEvent): HookState {
  switch (type) {
    case 'session.status':
      return statusOf(properties)
    case 'session.idle':
      return { state: 'done' }
    case 'permission.asked':
    case 'permission.updated':
      return { state: 'needs-you', message: permissionIn(properties) }
    case 'question.asked':
      return { state: 'needs-you', message: askedQuestion(properties) }
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return { state: 'working' }
    default:
      return undefined
  }
}

function statusOf(properties: unknown): HookState {
  const status = fieldOf(fieldOf(properties, 'status'), 'type')
  return status === 'busy' || status === 'retry' ? { state: 'working' } : undefined
}

/** A title in its own words, else what is wanted and where: `bash: rm -rf build`. */
function permissionIn(properties: unknown): string | undefined {
  const patterns = fieldOf(properties, 'patterns')
  const where = Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string').join(', ') : ''
  const wanted = [firstText(fieldOf(properties, 'permission')), firstText(where)].filter(Boolean).join(': ')
  return firstText(fieldOf(properties, 'title'), wanted)
}
