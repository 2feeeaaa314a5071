import type { Endpoint } from '../core/data/discovery'
import type { Terminals } from '../core/terminal/terminals'
import type { Serving } from '../server/serving'
import type { UiEventSources } from '../server/uiEvents'
import { createUiHandlers } from '../server/uiHandlers'
import { SCOPES } from '../shared/access'
import type { Handlers } from '../shared/ipc'
import { strings } from './strings'

/** Where the terminals are, seen from the app: in this process, or in another one that its windows are clients of. */
export interface Side {
  origin: string
  /** An address with a fresh one-time code, for one window. */
  openUrl(): Promise<string>
  /** Present when the host runs in this process. */
  host: OwnHost | undefined
}

/** The host in this process, as the shell uses it. */
export interface OwnHost extends UiEventSources {
  handlers: Handlers
  terminals: Terminals
}

export function ownSide(serving: Serving): Side {
  const { host, server, audit, agentsSeen, agentSetup, homeProject, notices } = serving
  const { workspaces, settingsStore, windowMemory, version, terminals } = host
  const access = { name: 'owner', scopes: SCOPES, projects: null }
  const sources = { workspaces, settingsStore, audit, agentsSeen }
  const window = { agentSetup, windowMemory, clientName: 'window' }
  const handlers = createUiHandlers({ ...window, ...sources, access, version, homeProject, notices })
  return { origin: server.origin, openUrl: async () => server.openUrl(), host: { handlers, terminals, ...sources } }
}

export function clientSide(endpoint: Endpoint): Side {
  return { origin: endpoint.url, openUrl: () => askForCode(endpoint), host: undefined }
}

async function askForCode({ url, token }: Endpoint): Promise<string> {
  const response = await fetch(`${url}/api/open-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}'
  })
  const answer: unknown = await response.json()
  const isAnswer = typeof answer === 'object' && answer !== null && 'openUrl' in answer
  if (!response.ok || !isAnswer || typeof answer.openUrl !== 'string') throw new Error(strings.ownerRefused)
  return answer.openUrl
}
