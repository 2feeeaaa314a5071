import { fileURLToPath } from 'node:url'
import { Audit } from '../core/data/audit'
import type { DataDir } from '../core/data/dataDir'
import { publishEndpoint, readEndpoint } from '../core/data/discovery'
import { homeProject as homeProjectOf } from '../core/data/homeProject'
import type { HostJournal } from '../core/data/hostJournal'
import { type Host, HostRunningError, startHost } from '../core/host'
import type { Terminals } from '../core/terminal/terminals'
import { AgentsSeen } from '../server/agentsSeen'
import { hostConnections } from '../server/hostConnections'
import { startServer } from '../server/server'
import type { UiEventSources } from '../server/uiEvents'
import { createUiHandlers } from '../server/uiHandlers'
import { SCOPES } from '../shared/access'
import type { Handlers } from '../shared/ipc'
import { openSettings } from './settings'
import { strings } from './strings'

const RENDERER_DIR = fileURLToPath(new URL('../renderer', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../bin/tandem.mjs', import.meta.url))
const FIRST_PORT = 7681

/** What the windows of this process show, and how it ends. */
export interface Desktop {
  origin: string
  /** An address with a fresh one-time code, for one window. */
  openUrl(): Promise<string>
  /** Present when the host runs in this process; otherwise another process owns the terminals. */
  host: OwnHost | undefined
  stop(): Promise<void>
}

/** The host in this process, as the shell uses it. */
export interface OwnHost extends UiEventSources {
  handlers: Handlers
  terminals: Terminals
}

interface DesktopOptions {
  dataDir: DataDir
  userUmask: number
  journal: HostJournal
}

/** Starts the host in this process, or becomes a client of the one that owns the data dir already. */
export async function connectDesktop(options: DesktopOptions): Promise<Desktop> {
  const { dataDir, userUmask, journal } = options
  const { log } = journal
  try {
    const host = await startHost({
      dataDir,
      environment: process.env,
      userUmask,
      flags: {},
      log,
      openConf: openSettings
    })
    return await openDoors(host, journal)
  } catch (failure) {
    if (!(failure instanceof HostRunningError)) throw failure
    log.info({ pid: failure.pid }, 'another host owns the terminals: showing its window')
    return clientOf(dataDir)
  }
}

async function openDoors(host: Host, journal: HostJournal): Promise<Desktop> {
  const { workspaces, settingsStore, windowMemory, tokens, log, version } = host
  const aboutLastHost = journal.aboutLastHost()
  const notices = () => [...aboutLastHost, ...host.notices()]
  const audit = new Audit({ dataDir: host.dataDir.path, log })
  const homeProject = homeProjectOf(process.env)
  const agents = agentPartsOf(host.dataDir)
  const server = await startServer({
    workspaces,
    settingsStore,
    windowMemory,
    tokens,
    notices,
    log,
    audit,
    ...agents,
    version,
    homeProject,
    rendererDir: RENDERER_DIR,
    address: '127.0.0.1',
    port: { startAt: FIRST_PORT }
  }).catch(async (failure: unknown) => {
    await host.stop()
    throw failure
  })
  const endpoint = { url: server.origin, pid: process.pid, version, token: tokens.ownerToken }
  const withdraw = publishEndpoint(host.dataDir.path, endpoint)
  const window = { ...agents, windowMemory, clientName: 'window' }
  const access = { name: 'owner', scopes: SCOPES, projects: null }
  const sources = { workspaces, settingsStore, audit, agentsSeen: agents.agentsSeen }
  return {
    origin: server.origin,
    openUrl: async () => server.openUrl(),
    host: {
      handlers: createUiHandlers({ ...window, ...sources, access, version, homeProject, notices }),
      terminals: host.terminals,
      ...sources
    },
    async stop() {
      withdraw()
      await server.close()
      audit.close()
      await host.stop()
    }
  }
}

/** What the server and the window share about agents. */
function agentPartsOf({ path: dataDir }: DataDir) {
  const agentConnections = hostConnections({ environment: process.env, script: COMMAND, dataDir })
  return { agentsSeen: new AgentsSeen(), agentConnections }
}

function clientOf(dataDir: DataDir): Desktop {
  const endpoint = readEndpoint(dataDir.path)
  if (!endpoint) throw new Error(strings.ownerSilent)
  const openUrl = async () => {
    const response = await fetch(`${endpoint.url}/api/open-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${endpoint.token}`, 'content-type': 'application/json' },
      body: '{}'
    })
    const answer: unknown = await response.json()
    const isAnswer = typeof answer === 'object' && answer !== null && 'openUrl' in answer
    if (!response.ok || !isAnswer || typeof answer.openUrl !== 'string') throw new Error(strings.ownerRefused)
    return answer.openUrl
  }
  return { origin: endpoint.url, openUrl, host: undefined, stop: async () => undefined }
}
