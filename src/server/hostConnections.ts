import type { Connections } from '../core/clients/connections'
import { locateDataDir } from '../core/data/dataDir'

interface HostConnectionsOptions {
  environment: NodeJS.ProcessEnv
  /** What runs as `tandem`. */
  script: string
  dataDir: string
}

/** How a host connects agents with itself. What edits their files is loaded when it is first needed: a start is not to wait. */
export function hostConnections({ environment, script, dataDir }: HostConnectionsOptions): () => Promise<Connections> {
  const standard = locateDataDir({ ...environment, TANDEM_DATA_DIR: undefined }).path
  // As `tandem setup` says it: a bridge finds the usual place by itself.
  const named = dataDir === standard ? undefined : dataDir
  let loaded: Promise<Connections> | undefined
  const load = async () => {
    const [{ Connections }, { ownBridge }] = await Promise.all([
      import('../core/clients/connections'),
      import('../core/clients/ownBridge')
    ])
    return new Connections({
      environment,
      bridgeFor: (client) => ownBridge(client, { environment, script, dataDir: named })
    })
  }
  return () => {
    loaded ??= load()
    return loaded
  }
}
