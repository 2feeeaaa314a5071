import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Audit, type Deed } from '../core/data/audit'
import type { DataDir } from '../core/data/dataDir'
import { publishEndpoint } from '../core/data/discovery'
import { homeProject as homeProjectOf } from '../core/data/homeProject'
import type { HostJournal } from '../core/data/hostJournal'
import type { OpenConfStore } from '../core/data/settingsStore'
import type { SettingsSources } from '../core/data/settingsValues'
import { type Host, startHost } from '../core/host'
import type { HostNotice } from '../shared/ipc'
import { AgentsSeen } from './agentsSeen'
import type { HandOverParts } from './handOver'
import { boundHeapGrowth } from './heapGrowth'
import { type AgentSetup, hostConnections } from './hostConnections'
import type { PortChoice } from './listen'
import { type RunningServer, startServer } from './server'

/** In the data directory: the doors for programs of the same user. */
const SOCKET_NAME = 'host.sock'
const RENDERER_DIR = fileURLToPath(new URL('../renderer', import.meta.url))

export interface ServingPlan {
  dataDir: DataDir
  /** What the start itself sets, over the settings file. */
  flags: SettingsSources['flags']
  userUmask: number
  address: string
  port: PortChoice
  token: string | undefined
  journal: HostJournal
  /** As the audit names it: `tandem-serve`. */
  name: string
  /** What runs as `tandem` for the agents that are connected from here. */
  script: string
  openConf?: OpenConfStore | undefined
  /** Cookies that count already. */
  browserSessions?: readonly string[]
  handOver: HandOverParts['prepare']
}

/** A host with its doors open, in this process. */
export interface Serving {
  host: Host
  server: RunningServer
  audit: Audit
  agentsSeen: AgentsSeen
  agentSetup(): Promise<AgentSetup>
  homeProject: string
  notices(): HostNotice[]
  record(action: string): void
  /** No other process finds this host any more. */
  withdraw(): void
  /** Closes the doors, finishes what is under way, lets go of the data dir. Programs in tmux notice nothing. */
  close(): Promise<void>
}

/** Opens everything, or nothing. */
export async function openServing(plan: ServingPlan): Promise<Serving> {
  boundHeapGrowth()
  const { dataDir, flags, userUmask, token, journal, openConf } = plan
  const { log } = journal
  const conf = openConf ? { openConf } : {}
  const host = await startHost({ dataDir, environment: process.env, userUmask, flags, log, token, ...conf })
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
  const { dataDir, address, port, journal, script, browserSessions, handOver } = plan
  const { workspaces, settingsStore, windowMemory, tokens, version, log } = host
  const aboutLastHost = journal.aboutLastHost()
  const shared = {
    audit,
    agentsSeen: new AgentsSeen(),
    agentSetup: hostConnections({ environment: process.env, script, dataDir: dataDir.path }),
    homeProject: homeProjectOf(process.env),
    notices: () => [...aboutLastHost.map((text) => ({ text })), ...host.notices()]
  }
  const parts = { workspaces, settingsStore, windowMemory, tokens, version, log, ...shared }
  const socketPath = join(dataDir.path, SOCKET_NAME)
  const doors = { rendererDir: RENDERER_DIR, address, port, socketPath, browserSessions, handOver }
  const server = await startServer({ ...parts, ...doors })
  const endpoint = { url: server.origin, pid: process.pid, version, token: tokens.ownerToken }
  const withdraw = publishEndpoint(dataDir.path, endpoint)
  const actor: Deed['actor'] = { token: 'owner', client: `${plan.name} ${version}` }
  const record = (action: string) => audit.record({ actor, action, outcome: 'OK' })
  const close = async () => {
    withdraw()
    await server.close()
    audit.close()
    await host.stop()
  }
  return { host, server, ...shared, record, withdraw, close }
}
