import { needsYou, type TerminalActivity } from '../../../shared/activity'
import type { TerminalId } from '../../../shared/terminal'
import { questionOf } from '../agents/agentQuestion'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { useActivity } from './activity'
import { meetAgents } from './agents'
import { alarm } from './announcer'
import { isFirstHint } from './remembered'
import { useTerminals } from './terminals'
import { showNotice } from './toasts'

/** Says once what a person must hear about the keyboards: a terminal that needs them, and that agents stop for them. */
export function followControlNews(): () => void {
  return useActivity.subscribe(({ byId }, { byId: before }) => {
    const changed = Object.values(byId).filter((activity) => before[activity.id] !== activity)
    meetAgents(
      changed.flatMap(({ agent, watchers }) => [...(agent ? [agent] : []), ...watchers].map(({ name }) => name))
    )
    for (const activity of changed) tell(activity, before[activity.id])
  })
}

function tell(activity: TerminalActivity, before: TerminalActivity | undefined): void {
  const { id, holder } = activity
  if (needsYou(activity) && !(before && needsYou(before))) {
    const question = questionOf(activity)
    alarm([strings.control.needsYouAlarm(nameOf(id)), ...(question ? [question.text] : [])].join('. '))
  }
  const isInterrupted = before?.holder?.kind === 'agent' && holder?.kind === 'person'
  if (isInterrupted && isFirstHint('agentsPause')) showNotice(strings.control.agentsPause)
}

function nameOf(id: TerminalId): string | undefined {
  const tabs = Object.values(useTerminals.getState().byWorkspace).flatMap((workspace) => workspace.tabs)
  const name = tabs.find((tab) => tab.id === id)?.name
  return name === undefined ? undefined : displayText(name)
}
