import { askedQuestion, firstText, wantedTool } from './eventFields'
import type { HookEvent, HookState } from './hookEvents'

/** How Codex stands: what it gives to `notify` has a type, what its hooks get an event name. */
export function codexState(event: HookEvent): HookState {
  switch (event.type ?? event.hook_event_name) {
    case 'agent-turn-complete':
      return { state: 'done', message: firstText(event['last-assistant-message']) }
    case 'approval-requested':
    case 'user-input-requested':
      return { state: 'needs-you', message: firstText(event.message, event.command) }
    case 'SessionStart':
      return { state: 'idle' }
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
      return { state: 'working' }
    case 'PermissionRequest':
      return {
        state: 'needs-you',
        message: askedQuestion(event.tool_input) ?? wantedTool(event.tool_name, event.tool_input)
      }
    case 'Stop':
      return { state: 'done', message: firstText(event.last_assistant_message) }
    default:
      return undefined
  }
}
