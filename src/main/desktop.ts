import { fileURLToPath } from 'node:url'
import type { DataDir } from '../core/data/dataDir'
import { type Endpoint, readEndpoint } from '../core/data/discovery'
import type { HostJournal } from '../core/data/hostJournal'
import { HostRunningError } from '../core/host'
import { HostProcess } from '../server/hostProcess'
import { chosenPort, type PortChoice } from '../server/listen'
import { HandOverRefused } from '../server/takeOver'
import { CLIENT_MARK } from '../shared/desktop'
import { OwnerWatch, waitForOwner } from './ownerWatch'
import { openSettings } from './settings'
import { clientSide, type OwnHost, ownSide, type Side } from './sides'

const COMMAND = fileURLToPath(new URL('../../bin/tandem.mjs', import.meta.url))

interface DesktopOptions {
  dataDir: DataDir
  userUmask: number
  journal: HostJournal
}

/**
 * Where this app's terminals are, and how that changes: it is the host itself, takes over from an older one, hands over
 * to a newer one and is its client then, and takes the terminals up when the one it is a client of has gone.
 */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #watch: OwnerWatch
  readonly #listeners = new Set<() => void>()
  #process: HostProcess | undefined
  #side: Side | undefined
  #isStopping = false

  private constructor(options: DesktopOptions) {
    this.#options = options
    this.#watch = new OwnerWatch(options.dataDir.path, {
      replaced: (endpoint) => this.#become(clientSide(endpoint)),
      gone: (last) => this.#takeUp(last).catch((err: unknown) => this.#failedToTakeUp(err, last))
    })
  }

  static async connect(options: DesktopOptions): Promise<Desktop> {
    const desktop = new Desktop(options)
    if (!(await desktop.#serve(firstPort(process.env.TANDEM_PORT)))) await desktop.#followOwner()
    return desktop
  }

  get origin(): string {
    return this.#current.origin
  }

  /** Present while the host runs in this process; not while it hands over. */
  get host(): OwnHost | undefined {
    return this.#process?.serving ? this.#current.host : undefined
  }

  /** A fresh address of the host that another process is; absent while the host is here. */
  get elsewhere(): (() => Promise<string>) | undefined {
    return this.#current.host ? undefined : this.#current.openUrl
  }

  /** What a window loads. Its page speaks to the host that served it, unless that is this process. */
  async pageUrl(): Promise<string> {
    const { openUrl, host } = this.#current
    return `${await openUrl()}${host ? '' : CLIENT_MARK}`
  }

  /** Told whenever the terminals are somewhere else than before: every window has to be loaded again. */
  onMove(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** No other process finds the host of this one any more. */
  withdraw(): void {
    this.#process?.serving?.withdraw()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watch.stop()
    await this.#process?.stop()
  }

  get #current(): Side {
    if (!this.#side) throw new Error('the app is not connected yet')
    return this.#side
  }

  /** Starts the host here, perhaps in place of an older one; false when another one stays in charge. */
  async #serve(port: PortChoice): Promise<boolean> {
    const { dataDir, userUmask, journal } = this.#options
    const doors = { address: '127.0.0.1', port, token: undefined, script: COMMAND, openConf: openSettings }
    const hostProcess = new HostProcess(
      { dataDir, userUmask, journal, flags: {}, name: 'tandem-desktop', ...doors },
      { ended: (failure) => this.#handedOver(failure), resumed: (serving) => this.#become(ownSide(serving)) }
    )
    try {
      const serving = await hostProcess.start()
      if (!serving) return false
      this.#process = hostProcess
      this.#become(ownSide(serving))
      return true
    } catch (failure) {
      if (!(failure instanceof HostRunningError || failure instanceof HandOverRefused)) throw failure
      journal.log.info({}, `another host owns the terminals: ${failure.message}`)
      return false
    }
  }

  async #followOwner(): Promise<void> {
    const owner = await waitForOwner(this.#options.dataDir.path)
    this.#process = undefined
    this.#become(clientSide(owner))
    if (!this.#isStopping) this.#watch.start(owner)
  }

  #handedOver(failure: unknown): void {
    const { log } = this.#options.journal
    if (failure !== undefined) log.error({ err: failure }, 'the terminals could not be taken up again')
    const last = this.#current.origin
    this.#followOwner().catch((err: unknown) => {
      log.warn({ err }, 'the host that took over is gone')
      this.#watch.start({ url: last })
    })
  }

  /** The owner is gone: its place is taken, at the address that agents know. */
  async #takeUp({ url }: Pick<Endpoint, 'url'>): Promise<void> {
    if (await this.#serve({ startAt: Number(new URL(url).port) })) return
    const owner = readEndpoint(this.#options.dataDir.path)
    if (owner) this.#become(clientSide(owner))
    this.#watch.start(owner ?? { url })
  }

  #failedToTakeUp(err: unknown, last: Pick<Endpoint, 'url'>): void {
    this.#options.journal.log.error({ err }, 'the terminals could not be taken up; trying again')
    if (!this.#isStopping) this.#watch.start(last)
  }

  #become(side: Side): void {
    const isFirst = this.#side === undefined
    this.#side = side
    if (!isFirst) for (const listener of this.#listeners) listener()
  }
}

/** An app starts also where the port that was asked for is taken: its windows find it wherever it is. */
function firstPort(asked: string | undefined): PortChoice {
  const choice = chosenPort(asked) ?? chosenPort(undefined)
  return choice && 'exact' in choice && choice.exact !== 0 ? { startAt: choice.exact } : (choice ?? { exact: 0 })
}
