import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive, type ProcessIdentity, type ProcessTable, systemProcesses } from '../backends/processTable'
import { readPrivateFile, writePrivateFile } from '../data/privateFile'
import type { Logger } from '../log'
import { parsedJson } from './parsedJson'
import { SerialQueue } from './serialQueue'

const FILE_NAME = 'tmux-servers.json'
const fileSchema = z.object({
  version: z.literal(1),
  bootId: z.string(),
  servers: z.array(z.object({ pid: z.number().int(), startTime: z.string() })).max(100)
})

export interface KnownServersOptions {
  dataDir: string
  processes: ProcessTable
  /** Names the time since the machine was started; empty where the system does not say. */
  bootId: string
  log: Logger
}

/**
 * The tmux servers that held terminals of ours, kept across hosts. An empty answer of one server proves nothing about
 * what lives in another: as long as an earlier one runs, nothing in it is taken for gone.
 */
export class KnownServers {
  /** The machine was started again since a host last saw a tmux server. */
  readonly isRebooted: boolean
  readonly #options: KnownServersOptions
  readonly #path: string
  readonly #queue = new SerialQueue()
  #servers: ProcessIdentity[]
  #isWritten: boolean

  constructor(options: KnownServersOptions) {
    this.#options = options
    this.#path = join(options.dataDir, FILE_NAME)
    const kept = this.#read()
    this.isRebooted = kept !== undefined && kept.bootId !== options.bootId
    this.#servers = kept && !this.isRebooted ? kept.servers : []
    this.#isWritten = kept !== undefined && !this.isRebooted
  }

  /** This server answers now. Written once, however many ask at the same time. */
  saw(server: ProcessIdentity): Promise<void> {
    return this.#queue.run(() => this.#note(server))
  }

  /** An earlier server that still runs beside this one. */
  async elsewhere(server: ProcessIdentity): Promise<ProcessIdentity | undefined> {
    return (await this.#others(server))[0]
  }

  async #note(server: ProcessIdentity): Promise<void> {
    const others = await this.#others(server)
    const isKnown = this.#servers.some((known) => isSame(known, server))
    if (isKnown && this.#isWritten && others.length === this.#servers.length - 1) return
    this.#servers = [{ pid: server.pid, startTime: server.startTime }, ...others]
    this.#write()
  }

  async #others(server: ProcessIdentity): Promise<ProcessIdentity[]> {
    const others = this.#servers.filter((known) => !isSame(known, server))
    const alive = await Promise.all(others.map((other) => isAlive(this.#options.processes, other)))
    return others.filter((_, index) => alive[index])
  }

  #write(): void {
    const { bootId, log } = this.#options
    try {
      writePrivateFile(this.#path, `${JSON.stringify({ version: 1, bootId, servers: this.#servers }, null, 2)}\n`)
      this.#isWritten = true
    } catch (failure) {
      this.#isWritten = false
      log.warn({ err: failure }, 'Which tmux server runs could not be written down')
    }
  }

  #read(): z.infer<typeof fileSchema> | undefined {
    const content = readPrivateFile(this.#path)
    if (content === undefined) return undefined
    const parsed = fileSchema.safeParse(parsedJson(content))
    if (parsed.success) return parsed.data
    const aside = `${this.#path}.corrupt-${Date.now()}`
    renameSync(this.#path, aside)
    this.#options.log.warn({ aside }, 'The list of tmux servers was damaged and was kept aside')
    return undefined
  }
}

/** A tmux server of ours that runs, whether it can be asked or not. For who only looks: nothing is kept aside. */
export async function runningServer(dataDir: string, bootId: string): Promise<ProcessIdentity | undefined> {
  const kept = fileSchema.safeParse(parsedJson(readPrivateFile(join(dataDir, FILE_NAME)) ?? ''))
  const servers = kept.success && kept.data.bootId === bootId ? kept.data.servers : []
  const alive = await Promise.all(servers.map((server) => isAlive(systemProcesses(), server)))
  return servers[alive.indexOf(true)]
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startTime === other.startTime
}
