import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../shared/errors'
import { AGENT_CLIENTS, type AgentClient, type BridgeCommand, CLAUDE_CODE, SERVER_NAME } from './agentClients'
import { readBackup, readConfig, removeConfig, writeConfig } from './configFile'
import { entryIn, withEntry } from './configText'
import { lineDiff } from './lineDiff'
import { onPath } from './onPath'
import { ProgramVersions } from './programVersions'
import { shownCommand } from './shownCommand'
import { verifyConnection } from './verifyConnection'

const PROGRAM_LIMIT_MS = 60_000
const run = promisify(execFile)

/** What would be done for one client: its own program is run, or its file changed; nothing when it is so already. */
export interface ConnectionPlan {
  client: string
  title: string
  isDetected: boolean
  isConnected: boolean
  /** The words of the command, when the client has a program for it. */
  command?: string[]
  /** The file that is changed otherwise, and the lines that go and come. */
  file?: { path: string; lines: string[] }
}

export interface ConnectionsOptions {
  environment: NodeJS.ProcessEnv
  /** How a bridge is started, for clients with the person's PATH and for those without. */
  bridgeFor(client: AgentClient): BridgeCommand
}

/** Connects clients with Tandem, and parts them again: shows exactly what it would do, then does that. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #versions = new ProgramVersions()

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  client(id: string): AgentClient {
    const found = AGENT_CLIENTS.find((client) => client.id === id)
    if (found) return found
    const known = AGENT_CLIENTS.map((client) => client.id).join(', ')
    throw new AppError('INVALID_ARGUMENTS', `"${id}" is not a known client`, `There are ${known}.`)
  }

  /** What starts a bridge for an agent that is not among the known ones, as it could be typed in a shell. */
  bridgeCommand(): string {
    const { command, args } = this.#options.bridgeFor(CLAUDE_CODE)
    return shownCommand([command, ...args])
  }

  /** Whether the client is on this machine: its program, or the folder of its settings. */
  isDetected(client: AgentClient): boolean {
    const { environment } = this.#options
    const path = client.configPath(environment)
    const folder = client.id === 'claude-code' ? path : dirname(path)
    return this.#programOf(client) !== undefined || existsSync(folder)
  }

  async versionOf(client: AgentClient): Promise<string | undefined> {
    const program = this.#programOf(client)
    return program === undefined ? undefined : this.#versions.of(program, this.#options.environment)
  }

  /** Starts what the client would start and asks it for its tools; how many there are, or undefined. */
  verify(client: AgentClient): Promise<number | undefined> {
    return verifyConnection(this.configured(client), this.#options.environment)
  }

  plan(client: AgentClient, { isRemoval = false } = {}): ConnectionPlan {
    const path = client.configPath(this.#options.environment)
    const before = readConfig(path)
    const present = entryIn(before, placeOf(client))
    const isSame = () => JSON.stringify(pick(present)) === JSON.stringify(pick(this.#entry(client)))
    const isConnected = present !== undefined && (isRemoval || isSame())
    const shown = { client: client.id, title: client.title, isDetected: this.isDetected(client), isConnected }
    if (isConnected !== isRemoval) return shown
    const program = this.#programOf(client)
    const words = isRemoval ? client.remove?.(SERVER_NAME) : client.add?.(SERVER_NAME, this.#options.bridgeFor(client))
    // A client refuses to add what it has: another entry of this name is changed in the file.
    if (program && words && (isRemoval || present === undefined)) return { ...shown, command: [program, ...words] }
    return { ...shown, file: { path, lines: lineDiff(before, this.#changed(client, before, isRemoval) ?? '') } }
  }

  /** Does what the plan shows. */
  async apply(client: AgentClient, { isRemoval = false } = {}): Promise<{ backup?: string | undefined }> {
    const { command, file } = this.plan(client, { isRemoval })
    if (command) await this.#run(client, command, isRemoval)
    if (!file) return {}
    const text = this.#changed(client, readConfig(file.path), isRemoval)
    if (text !== undefined) return writeConfig(file.path, text)
    removeConfig(file.path)
    return {}
  }

  /** The file's next text; undefined: it is taken away. What only we have changed since is put back as it was. */
  #changed(client: AgentClient, before: string, isRemoval: boolean): string | undefined {
    const place = placeOf(client)
    if (!isRemoval) return withEntry(before, place, this.#entry(client))
    const entry = objectOf(entryIn(before, place))
    const backup = readBackup(client.configPath(this.#options.environment))
    const earlier = backup ?? ''
    const isOursAlone = entryIn(earlier, place) === undefined && withEntry(earlier, place, entry) === before
    return isOursAlone ? backup : withEntry(before, place, undefined)
  }

  /** What the client would start now; what we asked for when its file does not say. */
  configured(client: AgentClient): BridgeCommand {
    const entry = entryIn(readConfig(client.configPath(this.#options.environment)), placeOf(client))
    const { command, args } = pick(entry)
    const isUsable = typeof command === 'string' && Array.isArray(args)
    return isUsable ? { command, args: args.map(String) } : this.#options.bridgeFor(client)
  }

  #entry(client: AgentClient) {
    return client.entry(this.#options.bridgeFor(client))
  }

  #programOf({ program }: AgentClient): string | undefined {
    return program === undefined ? undefined : onPath(program, this.#options.environment)
  }

  async #run(client: AgentClient, [program = '', ...words]: string[], isRemoval: boolean): Promise<void> {
    try {
      const running = run(program, words, { env: this.#options.environment, timeout: PROGRAM_LIMIT_MS })
      // One that asks a question is not to wait for an answer.
      running.child.stdin?.end()
      await running
    } catch (cause) {
      const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().slice(0, 500) : ''
      const message = `${client.title} refused: ${said || 'its program failed'}`
      throw new AppError('IO_ERROR', message, await this.#otherWay(client, isRemoval), { cause })
    }
    const path = client.configPath(this.#options.environment)
    if ((entryIn(readConfig(path), placeOf(client)) === undefined) === isRemoval) return
    const message = `\`${[program, ...words].slice(0, 3).join(' ')} …\` said it was done, but "${path}" does not show it`
    throw new AppError('IO_ERROR', message, await this.#otherWay(client, isRemoval))
  }

  /** For a client whose own program does not do it: old ones cannot. */
  async #otherWay(client: AgentClient, isRemoval: boolean): Promise<string> {
    const path = client.configPath(this.#options.environment)
    const version = await this.versionOf(client)
    const lines = lineDiff(readConfig(path), this.#changed(client, readConfig(path), isRemoval) ?? '')
    const update = `Update ${client.title}${version === undefined ? '' : ` (this is ${version})`}`
    return `Nothing else was changed. ${update}, or change "${path}" yourself:\n${lines.join('\n')}`
  }
}

function placeOf({ format, key }: AgentClient) {
  return { format, key, name: SERVER_NAME }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function pick(entry: unknown): { command?: unknown; args?: unknown } {
  if (typeof entry !== 'object' || entry === null) return {}
  const { command, args } = Object.fromEntries(Object.entries(entry))
  return { command, args }
}
