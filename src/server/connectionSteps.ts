import type { ConnectionPlan } from '../core/clients/connections'
import { shownCommand } from '../core/clients/shownCommand'
import type { ConnectionSteps } from '../shared/agents'
import { strings } from './strings'

/** What a plan would do, as the window shows it. */
export function stepsOf({ title, isDetected, command, file }: ConnectionPlan, isRemoval: boolean): ConnectionSteps {
  const warnings = isDetected || isRemoval ? [] : [strings.agents.notFound(title)]
  if (command) return { kind: 'command', command: shownCommand(command), warnings }
  if (file) return { kind: 'file', path: file.path, lines: file.lines, warnings }
  return { kind: 'nothing', warnings }
}
