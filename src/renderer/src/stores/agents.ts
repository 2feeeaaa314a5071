import { create } from 'zustand'
import { type AgentIdentity, identityOf } from '../agents/agentIdentity'
import { recall, remember } from './memory'

const NAME = 'agents'
/** Names come from outside; nobody has more agents than this. */
const MAX_KNOWN = 100
/** Before that, remembering would forget those of the last visit. */
let isRecalled = false

/** Every agent that ever came, in order of appearance: letter and hue depend on it. */
export const useAgents = create<{ known: string[] }>(() => ({ known: [] }))

/** As at the last visit; agents that came before the answer keep their place behind those. */
export function recallAgents(): void {
  const { known } = recall(NAME)
  const kept = Array.isArray(known) ? known.filter((name) => typeof name === 'string') : []
  isRecalled = true
  put([...kept, ...useAgents.getState().known])
}

export function meetAgents(names: readonly string[]): void {
  const { known } = useAgents.getState()
  if (names.some((name) => !known.includes(name))) put([...known, ...names])
}

export function useAgentIdentity(name: string): AgentIdentity {
  return identityOf(
    useAgents((state) => state.known),
    name
  )
}

function put(names: string[]): void {
  const known = [...new Set(names)].slice(0, MAX_KNOWN)
  useAgents.setState({ known })
  if (isRecalled) remember(NAME, { known })
}
