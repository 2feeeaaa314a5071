import { realpath } from 'node:fs/promises'
import type { Terminal } from '../core/terminal/terminal'
import { actorOf } from '../core/tools/actorOf'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Access, Caller } from '../shared/access'
import { AppError } from '../shared/errors'
import type { TerminalId, WorkspaceKey } from '../shared/terminal'
import { strings } from './strings'

export interface ListedResource {
  uri: string
  name: string
  title: string
  mimeType: string
}

export interface ResourceText {
  uri: string
  mimeType: string
  text: string
}

/** What happens to a resource that is watched. */
export interface ResourceListener {
  changed(): void
  /** It will not come back; nothing follows. */
  gone(): void
}

const TEXT = 'text/plain'
const JSON_TEXT = 'application/json'
/** The shapes of every address, as `resources/templates/list` shows them. */
export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'terminal://{id}/screen', name: 'screen', mimeType: TEXT, ...strings.screenResource },
  { uriTemplate: 'terminal://{id}/log', name: 'log', mimeType: TEXT, ...strings.logResource },
  {
    uriTemplate: 'workspace://{project}/{session}',
    name: 'workspace',
    mimeType: JSON_TEXT,
    ...strings.workspaceResource
  }
]

type Address = { terminal: string; view: 'screen' | 'log' } | WorkspaceKey

/** Codes that mean, for somebody who asks for an address: there is nothing there. */
const ABSENT = ['INVALID_ARGUMENTS', 'SESSION_NOT_FOUND', 'SESSION_DESTROYED', 'OUTSIDE_PROJECT', 'NOT_FOUND']

/** Terminals and workspaces as addresses that clients read and follow, as far as each may see them. */
export class McpResources {
  readonly #workspaces: Workspaces

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces
  }

  async list(access: Access): Promise<ListedResource[]> {
    requireRead(access)
    const workspaces = (await this.#workspaces.summaries(access)).map(workspaceResource)
    const terminals = await this.#workspaces.listAll(access)
    return [...workspaces, ...terminals.flatMap(terminalResources)]
  }

  /** What stands there now; a NOT_FOUND when there is nothing that this caller may see. */
  async read(caller: Caller, uri: string): Promise<ResourceText> {
    const { access } = caller
    requireRead(access)
    return this.#found(uri, async (address) => {
      if ('project' in address) {
        const { sessions } = await this.#workspaces.list(access, address)
        return { uri, mimeType: JSON_TEXT, text: JSON.stringify({ sessions }) }
      }
      const terminal = await this.#terminal(access, address.terminal)
      this.#looks(caller, terminal.id)()
      return { uri, mimeType: TEXT, text: await textOf(terminal, address.view) }
    })
  }

  /** Returns how to stop; a NOT_FOUND when there is nothing to watch. */
  async watch(caller: Caller, uri: string, listener: ResourceListener): Promise<() => void> {
    const { access } = caller
    requireRead(access)
    return this.#found(uri, (address) =>
      'project' in address
        ? this.#watchWorkspace(access, address, listener)
        : this.#watchTerminal(caller, address.terminal, listener)
    )
  }

  async #watchWorkspace(access: Access, key: WorkspaceKey, { changed }: ResourceListener): Promise<() => void> {
    await this.#workspaces.list(access, key)
    const project = await realpath(key.project)
    return this.#workspaces.onChange((other) => {
      if (other.session === key.session && [project, key.project].includes(other.project)) changed()
    })
  }

  async #watchTerminal(caller: Caller, handle: string, { changed, gone }: ResourceListener): Promise<() => void> {
    const { access } = caller
    let watched: Terminal | undefined = await this.#terminal(access, handle)
    const { id } = watched
    let unhook = this.#hook(watched, caller, changed)
    const stop = this.#workspaces.onChange(() => {
      const current = this.#stillThere(access, id)
      if (current === watched) return
      // Gone, or started again: then its output is that of another program.
      unhook()
      watched = current
      if (current) {
        unhook = this.#hook(current, caller, changed)
        changed()
      } else {
        stop()
        gone()
      }
    })
    return () => {
      stop()
      unhook()
    }
  }

  #hook(terminal: Terminal, caller: Caller, changed: () => void): () => void {
    const stops = [terminal.onOutput(changed), terminal.onChange(changed), this.#looks(caller, terminal.id)]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Windows show that it watches; returns how to say that it does no more. */
  #looks(caller: Caller, id: TerminalId): () => void {
    return this.#workspaces.activity.look(id, actorOf(caller))
  }

  async #terminal(access: Access, handle: string): Promise<Terminal> {
    await this.#workspaces.learn(access)
    return this.#workspaces.terminal(access, handle)
  }

  #stillThere(access: Access, id: TerminalId): Terminal | undefined {
    try {
      return this.#workspaces.terminal(access, id)
    } catch (thrown) {
      const { code } = AppError.from(thrown)
      if (ABSENT.includes(code) || code === 'SESSION_ERROR') return undefined
      throw thrown
    }
  }

  async #found<T>(uri: string, look: (address: Address) => Promise<T>): Promise<T> {
    const address = addressIn(uri)
    if (!address) throw noResource(uri)
    try {
      return await look(address)
    } catch (thrown) {
      if (ABSENT.includes(AppError.from(thrown).code)) throw noResource(uri)
      throw thrown
    }
  }
}

function workspaceResource({ project, session }: WorkspaceKey): ListedResource {
  const uri = `workspace://${encodeURIComponent(project)}/${encodeURIComponent(session)}`
  return { uri, name: session, title: `${session} (${project})`, mimeType: JSON_TEXT }
}

function terminalResources({ id, name }: { id: TerminalId; name: string }): ListedResource[] {
  return (['screen', 'log'] as const).map((view) => ({
    uri: `terminal://${id}/${view}`,
    name: `${name} ${view}`,
    title: `${name}: ${view}`,
    mimeType: TEXT
  }))
}

async function textOf({ screen, log }: Terminal, view: 'screen' | 'log'): Promise<string> {
  if (view === 'log') return wholeText(log.read(log.start, log.end - log.start).bytes)
  await screen.caughtUp()
  return screen.text().join('\n')
}

/** The oldest kept byte may lie inside a character: what is left of that one is no text. */
function wholeText(bytes: Buffer): string {
  let first = 0
  while (first < 3 && ((bytes[first] ?? 0) & 0xc0) === 0x80) first++
  return bytes.toString('utf8', first)
}

function addressIn(uri: string): Address | undefined {
  const [, handle, view] = /^terminal:\/\/([^/?#]+)\/(screen|log)$/.exec(uri) ?? []
  const [, project, session] = /^workspace:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri) ?? []
  try {
    if (handle) return { terminal: decodeURIComponent(handle), view: view === 'log' ? 'log' : 'screen' }
    if (project && session) return { project: decodeURIComponent(project), session: decodeURIComponent(session) }
    return undefined
  } catch (thrown) {
    if (thrown instanceof URIError) return undefined
    throw thrown
  }
}

function requireRead({ name, scopes }: Access): void {
  if (!scopes.includes('read')) throw new AppError('UNAUTHORIZED', `Token "${name}" may not read`)
}

function noResource(uri: string): AppError {
  return new AppError('NOT_FOUND', `Resource not found: ${uri.slice(0, 500)}`, strings.listResources)
}
