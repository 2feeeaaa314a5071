import type { Connections } from '../core/clients/connections'
import type { HookSetup } from '../core/clients/hooks/hookSetup'
import { namedDataDir } from '../core/data/dataDir'

interface HostConnectionsOptions {
  environment: NodeJS.ProcessEnv
  /** What runs as `tandem`. */
  script: string
  dataDir: string
}

/** What connects agents with this host, and what has them show when they need the person. */
export interface AgentSetup {
  connections: Connections
  hooks: HookSetup
}

/** How a host connects agents with itself. What edits their files is loaded when it is first needed: a start is not to wait. */
export function hostConnections({ environment, script, dataDir }: HostConnectionsOptions): () => Promise<AgentSetup> {
  const place = { environment, script, dataDir: namedDataDir(environment, { path: dataDir }) }
  let loaded: Promise<AgentSetup> | undefined
  const load = async () => {
    const [{ Connections }, { HookSetup }, { ownBridge, ownHook }] = await Promise.all([
      import('../core/clients/connections'),
      import('../core/clients/hooks/hookSetup'),
      import('../core/clients/ownBridge')
    ])
    return {
      connections: new Connections({ environment, bridgeFor: (client) => ownBridge(client, place) }),
      hooks: new HookSetup({ environment, commandFor: (client) => ownHook(client.id, place) })
    }
  }
  return () => {
    loaded ??= load()
    return loaded
  }
}
