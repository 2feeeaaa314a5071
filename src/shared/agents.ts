/** A program for agents that can be connected in one step. */
export interface AgentClientState {
  id: string
  name: string
  /** It is on this machine. */
  isFound: boolean
  /** As its own program says it. */
  version?: string
  isConnected: boolean
  /** Why its configuration cannot be read or changed. */
  problem?: string
}

/** Exactly what connecting or parting would do. */
export interface ConnectionSteps {
  /** Its own program is run, its file is changed, or there is nothing to do. */
  kind: 'command' | 'file' | 'nothing'
  /** As it could be typed in a shell. */
  command?: string
  path?: string
  /** The lines that go (`- `) and come (`+ `); what stands around them is not shown. */
  lines?: string[]
  warnings: string[]
}

export interface ConnectionOutcome {
  /** False: it was so already. */
  done: boolean
  message: string
  warnings: string[]
}

/** An agent that made a real request since the host started. */
export interface ConnectedAgent {
  /** What it calls itself. */
  name: string
  /** The name of its token. */
  token: string
  lastSeen: string
  /** It asks for something now, or did a few minutes ago. */
  isActive: boolean
}

/** A program for agents whose own hooks can show when its agent needs the person. */
export interface HookClientState {
  id: string
  name: string
  /** It is on this machine. */
  isFound: boolean
  /** Its hooks tell us. */
  isOn: boolean
  /** Why its file cannot be read or changed. */
  problem?: string
}
