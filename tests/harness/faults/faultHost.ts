import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorld, Tandem, type TandemOptions, type World } from '../tandem'
import { Bystander } from './bystander'
import { asideIn, type DiskStore, requireWholeFiles, storeOnDisk } from './diskFiles'
import { Door } from './door'
import type { Injection, Place } from './faultRow'
import { Strangers } from './strangers'

export interface StoredSession {
  id: string
  name: string
  tmuxSession: string
  order: number
}

export interface FaultHostOptions extends TandemOptions {
  /** Where its programs run; absent: in tmux. */
  place?: Place
  environment?: NodeJS.ProcessEnv
  flags?: string[]
}

/** Something that knows what the disk must hold, whoever died while writing to it. */
export interface DiskWitness {
  /** Throws what is wrong on disk. */
  checkDisk(): void
}

/** A host to be hurt, in a world of its own, beside a person's own tmux that must not notice. */
export class FaultHost {
  readonly world: World
  readonly bystander: Bystander
  readonly #options: FaultHostOptions
  readonly #witnesses: DiskWitness[] = []
  readonly #damaged: string[] = []
  #strangers: Strangers | undefined
  #tandem: Tandem | undefined

  private constructor(options: FaultHostOptions) {
    this.#options = options
    const backend = options.place === 'pty' ? { TANDEM_BACKEND: 'pty' } : {}
    this.world = makeWorld({ TANDEM_LOG_LEVEL: 'info', ...backend, ...options.environment })
    this.bystander = new Bystander(this.world)
  }

  static async start(options: FaultHostOptions = {}): Promise<FaultHost> {
    const host = new FaultHost(options)
    try {
      await host.restart()
      await host.inviteStrangers()
      return host
    } catch (failure) {
      await host.world.remove()
      throw failure
    }
  }

  /** Starts a host, runs the work, and takes everything away; what changes for bystander and strangers is lost. */
  static async during(
    work: (host: FaultHost) => Promise<void>,
    { options = {}, injection }: { options?: FaultHostOptions; injection: Injection }
  ): Promise<void> {
    const host = await FaultHost.start({ place: injection.place, ...options })
    try {
      await work(host)
      for (const change of host.changesOfOthers()) injection.loss(change)
    } finally {
      await host.close()
    }
  }

  get tandem(): Tandem {
    if (!this.#tandem) throw new Error('the host is not running')
    return this.#tandem
  }

  get pid(): number {
    return this.tandem.ready.pid
  }

  async crash(): Promise<void> {
    await this.#tandem?.end('SIGKILL')
  }

  /** Sessions of others in the server that runs now. */
  async inviteStrangers(): Promise<void> {
    const { place, wrapper } = this.#options
    if (place !== 'pty' && !wrapper) this.#strangers = await Strangers.settle(this.world)
  }

  /** What happened to sessions that are not the host's. */
  changesOfOthers(): string[] {
    return [
      ...this.bystander.changes().map((change) => `the person's own tmux: ${change}`),
      ...(this.#strangers?.changes() ?? []).map((change) => `a session without our stamp: ${change}`)
    ]
  }

  /** Is asked about the disk before every start: what a dead host left is seen before the next one mends it. */
  callWitness(witness: DiskWitness): void {
    this.#witnesses.push(witness)
  }

  /** Milliseconds until it was ready. */
  async restart(options: FaultHostOptions = {}): Promise<number> {
    requireWholeFiles(this.world.dataDir)
    for (const witness of this.#witnesses) witness.checkDisk()
    const startedMs = performance.now()
    const all = { ...this.#options, ...options }
    this.#tandem = await Tandem.start(this.world, all.flags ?? [], all)
    return performance.now() - startedMs
  }

  door(session = 'work', project = this.world.project): Door {
    return new Door(() => this.tandem, { project, session })
  }

  storeDirectory({ project, session }: { project: string; session: string }): string {
    return join(project, '.collab', session)
  }

  storePath(door: Door): string {
    return join(this.storeDirectory(door), 'terminal-sessions.json')
  }

  /** What the store file says; throws when it, or the generation before it, cannot be parsed. */
  stored(door: Door): StoredSession[] {
    const directory = this.storeDirectory(door)
    if (!existsSync(this.storePath(door))) return []
    for (const name of readdirSync(directory).filter((found) => found.endsWith('.bak'))) {
      JSON.parse(readFileSync(join(directory, name), 'utf8'))
    }
    return (JSON.parse(readFileSync(this.storePath(door), 'utf8')) as { sessions: StoredSession[] }).sessions
  }

  /** What lies on disk, asked of nobody; undefined where there is no store. */
  onDisk(door: Door): DiskStore | undefined {
    return storeOnDisk(this.storeDirectory(door))
  }

  /** What was kept aside though no test damaged it. */
  aside(door: Door): string[] {
    const directory = this.storeDirectory(door)
    return asideIn(directory).slice(this.#damaged.filter((one) => one === directory).length)
  }

  /** Everything in a store's directory, to explain a loss. */
  filesOf(door: Door): string {
    const directory = this.storeDirectory(door)
    const names = existsSync(directory) ? readdirSync(directory) : []
    return names.map((name) => `${name}: ${readFileSync(join(directory, name), 'utf8')}`).join('\n')
  }

  /** Leaves half of a store. */
  damage(door: Door): void {
    const path = this.storePath(door)
    writeFileSync(path, readFileSync(path).subarray(0, 100))
    this.#damaged.push(this.storeDirectory(door))
  }

  /** What lives: the tmux sessions that carry a stamp of ours, or the pids of the host's own programs. */
  stamped(): string[] {
    if (this.#options.place === 'pty') return this.#programs()
    const owner = `${readFileSync(join(this.world.dataDir, 'owner-id'), 'utf8').trim()}|`
    const lines = this.world.tmux('list-sessions', '-F', '#{@tandem_owner}|#{session_name}').trim().split('\n')
    return lines.filter((line) => line.startsWith(owner)).map((line) => line.slice(owner.length))
  }

  #programs(): string[] {
    const lines = execFileSync('ps', ['-o', 'pid=,sid=,stat=,tty=', '--ppid', String(this.pid)], { encoding: 'utf8' })
    const pairs = lines
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    // Only programs have a terminal: the client and the watchdog of tmux, which are ours too, have none.
    const isProgram = ([pid, leader, state, tty]: string[]) => pid === leader && !state?.startsWith('Z') && tty !== '?'
    return pairs.filter(isProgram).flatMap(([pid]) => pid ?? [])
  }

  /** Ends the host's line to tmux, which it has to open again. */
  cutControlLine(): void {
    const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(this.pid)], { encoding: 'utf8' }).split('\n')
    const line = lines.find((words) => / -C new-session /.test(words))
    if (line) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  }

  openDescriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length
  }

  residentBytes(): number {
    const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1])
    return pages * Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))
  }

  async close(): Promise<void> {
    await this.crash()
    await this.world.remove()
  }
}
