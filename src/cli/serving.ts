import { fileURLToPath } from 'node:url'
import { Audit, type Deed } from '../core/data/audit'
import type { DataDir } from '../core/data/dataDir'
import { publishEndpoint } from '../core/data/discovery'
import { homeProject } from '../core/data/homeProject'
import type { HostJournal } from '../core/data/hostJournal'
import { type Host, startHost } from '../core/host'
import type { HandOverParts } from '../server/handOver'
import { hostConnections } from '../server/hostConnections'
import { type RunningServer, startServer } from '../server/server'
import { type PortChoice, type ServeOptions, settingFlags } from './serveOptions'

const RENDERER_DIR = fileURLToPath(new URL('../renderer', import.meta.url))

export interface ServingPlan {
  dataDir: DataDir
  options: ServeOptions
  userUmask: number
  port: PortChoice
  token: string | undefined
  journal: HostJournal
  /** Cookies that count already. */
  browserSessions?: readonly string[]
  handOver: HandOverParts['prepare']
}

/** A host with its doors open, in this process. */
export interface Serving {
  host: Host
  server: RunningServer
  record(action: string): void
  /** No other process finds this host any more. */
  withdraw(): void
  /** Closes the doors, finishes what is under way, lets go of the data dir. Programs in tmux notice nothing. */
  close(): Promise<void>
}

/** Opens everything, or nothing. */
export async function openServing(plan: ServingPlan): Promise<Serving> {
  const { dataDir, options, userUmask, token, journal } = plan
  const flags = settingFlags(options)
  const { log } = journal
  const host = await startHost({ dataDir, environment: process.env, userUmask, flags, log, token })
  const audit = new Audit({ dataDir: dataDir.path, log })
  try {
    return await openDoors(host, plan, audit)
  } catch (failure) {
    audit.close()
    await host.stop()
    throw failure
  }
}

async function openDoors(host: Host, plan: ServingPlan, audit: Audit): Promise<Serving> {
  const { dataDir, options, port, journal, browserSessions, handOver } = plan
  const [, script = ''] = process.argv
  const aboutLastHost = journal.aboutLastHost()
  const server = await startServer({
    workspaces: host.workspaces,
    settingsStore: host.settingsStore,
    windowMemory: host.windowMemory,
    tokens: host.tokens,
    notices: () => [...aboutLastHost, ...host.notices()],
    log: journal.log,
    audit,
    version: host.version,
    agentConnections: hostConnections({ environment: process.env, script, dataDir: dataDir.path }),
    homeProject: homeProject(process.env),
    rendererDir: RENDERER_DIR,
    address: options.host,
    port,
    browserSessions,
    handOver
  })
  const endpoint = { url: server.origin, pid: process.pid, version: host.version, token: host.tokens.ownerToken }
  const withdraw = publishEndpoint(dataDir.path, endpoint)
  const actor: Deed['actor'] = { token: 'owner', client: `tandem-serve ${host.version}` }
  const record = (action: string) => audit.record({ actor, action, outcome: 'OK' })
  return {
    host,
    server,
    record,
    withdraw,
    async close() {
      withdraw()
      await server.close()
      audit.close()
      await host.stop()
    }
  }
}
