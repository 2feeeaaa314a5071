import { askedQuestion, firstText, wantedTool } from './eventFields'
import type { HookEvent, HookState } from './hookEvents'

/** Tools by which it asks the person and waits for the answer. */
export const ASKING_TOOLS = ['AskUserQuestion', 'ExitPlanMode'] as const

/** How Claude Code stands after one of its hook events; fields it leaves out in older versions are not needed. */
export function claudeCodeState(event: HookEvent): HookState {
  switch (event.hook_event_name) {
    case 'SessionStart':
      // It also begins anew in the middle of its work, when its memory is full.
      return event.source === 'compact' ? undefined : { state: 'idle' }
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return { state: 'working' }
    case 'PreToolUse':
      return beforeTool(event)
    case 'PermissionRequest':
      return { state: 'needs-you', message: wantedTool(event.tool_name, event.tool_input) }
    case 'Notification':
      return noticed(event)
    case 'Stop':
      return { state: 'done', message: firstText(event.last_assistant_message) }
    case 'SessionEnd':
      return { state: 'gone' }
    default:
      return undefined
  }
}

function beforeTool({ tool_name, tool_input }: HookEvent): HookState {
  if (!ASKING_TOOLS.some((tool) => tool === tool_name)) return { state: 'working' }
  return { state: 'needs-you', message: askedQuestion(tool_input) ?? wantedTool(tool_name, tool_input) }
}

/** Its reminder that it sits at its prompt is no question: it has told already that it is done. Versions without types say it in words. */
function noticed({ notification_type, message }: HookEvent): HookState {
  const kind = firstText(notification_type)
  const isIdle = kind === undefined ? /waiting for your input/i.test(firstText(message) ?? '') : kind === 'idle_prompt'
  if (isIdle) return { state: 'done' }
  const isQuestion = kind === undefined || /permission|elicitation_dialog|needs_input|question/.test(kind)
  return isQuestion ? { state: 'needs-you', message: firstText(message) } : undefined
}
