import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { type KeyboardState, keyboardOf, nextStep } from '../agents/keyboardState'
import { useActivity } from '../stores/activity'
import { showError } from '../stores/toasts'
import { useBridge } from './useBridge'

export interface ControlOfTerminal {
  keyboard: KeyboardState
  /** Takes the keyboard, or gives it back when the person has it. */
  toggle(): void
}

/** Who has a terminal's keyboard, and the one thing to do about it. */
export function useControl(workspace: WorkspaceKey, id: TerminalId): ControlOfTerminal {
  const bridge = useBridge()
  const keyboard = keyboardOf(useActivity(({ byId }) => byId[id]))
  const toggle = async () => {
    const run = nextStep(keyboard) === 'take' ? bridge.takeControl : bridge.giveBack
    const done = await run(workspace, id)
    if (!done.ok) showError(done.error)
  }
  return { keyboard, toggle: () => void toggle() }
}
