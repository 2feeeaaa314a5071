import { useShallow } from 'zustand/react/shallow'
import type { TerminalId } from '../../../shared/terminal'
import { identityOf } from '../agents/agentIdentity'
import { useActivity } from '../stores/activity'
import { useAgents } from '../stores/agents'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'

const text = strings.control

/** The agents that read this terminal and do not type in it; there is nothing to do about that. */
export function Watchers({ id }: { id: TerminalId }) {
  const names = useActivity(useShallow(({ byId }) => [...new Set(byId[id]?.watchers.map(({ name }) => name))]))
  const known = useAgents((state) => state.known)
  const [first] = names
  if (first === undefined) return null
  const titles = names.map((name) => displayText(identityOf(known, name).title))
  return (
    <span className="watchers" title={text.watchingHint(titles.join(', '))}>
      <Icon name="eye" />
      <AgentChip name={first} />
      {text.watching(titles[0] ?? '', names.length - 1)}
    </span>
  )
}
