import { setTimeout as wait } from 'node:timers/promises'
import { readEndpoint } from '../core/data/discovery'
import { processStart } from '../core/data/processStart'
import { HostRunningError } from '../core/host'
import type { HandOverParts, HandOverRequest } from './handOver'
import { openServing, type Serving, type ServingPlan } from './serving'
import { strings } from './strings'
import { takeOver, whenFree } from './takeOver'

/** How long the next host may take to show itself before this one takes the terminals up again. */
const SUCCESSOR_LIMIT_MS = 60_000
const LOOK_AGAIN_MS = 25

export interface HostProcessPlan extends Omit<ServingPlan, 'handOver'> {
  /** Takes over also from a host that is not older: a person asked for it. */
  isForced?: boolean
}

/** What becomes of a host that was asked to hand over. */
export interface HostLife {
  /** Another host is in charge; with a failure: none could be again. */
  ended(failure?: unknown): void
  /** The other one did not start, and this process serves again. */
  resumed?(serving: Serving): void
}

/** A host's life in this process: start, perhaps in place of an older one; hand over to a newer one; stop. */
export class HostProcess {
  readonly #plan: HostProcessPlan & ServingPlan
  readonly #life: HostLife
  #serving: Serving | undefined
  #isLeaving = false

  constructor(plan: HostProcessPlan, life: HostLife) {
    this.#plan = { ...plan, handOver: (request) => this.#prepareHandOver(request) }
    this.#life = life
  }

  get serving(): Serving | undefined {
    return this.#serving
  }

  async start(): Promise<Serving> {
    const serving = await this.#openInPlaceOfAnother()
    this.#serving = serving
    serving.record('start')
    return serving
  }

  /** Stops once, however often it is called. */
  async stop(): Promise<void> {
    this.#isLeaving = true
    const serving = this.#serving
    this.#serving = undefined
    serving?.record('stop')
    await serving?.close()
  }

  async #openInPlaceOfAnother(): Promise<Serving> {
    try {
      return await openServing(this.#plan)
    } catch (failure) {
      if (!(failure instanceof HostRunningError)) throw failure
      const { dataDir, isForced = false, port, token, journal } = this.#plan
      const inherited = await takeOver({ dataDir: dataDir.path, isForced, port, log: journal.log })
      if (!inherited) throw failure
      return await whenFree(() => openServing({ ...this.#plan, ...inherited, token: token ?? inherited.token }))
    }
  }

  #prepareHandOver(request: HandOverRequest): ReturnType<HandOverParts['prepare']> {
    const serving = this.#serving
    if (!serving || this.#isLeaving) return { refusal: strings.hosts.alreadyLeaving }
    const doomed = serving.host.terminals
      .all()
      .filter(({ backendKind, state }) => backendKind === 'pty' && state === 'running')
    if (doomed.length > 0) return { refusal: strings.hosts.wouldEndPrograms(doomed.length) }
    this.#isLeaving = true
    const leave = async () => {
      if (await this.#handOver(serving, request)) this.#life.ended()
    }
    return { letGo: () => void leave().catch((failure: unknown) => this.#life.ended(failure)) }
  }

  /** True when another host is in charge now; false when this one is again. */
  async #handOver(serving: Serving, { pid, version }: HandOverRequest): Promise<boolean> {
    const { log } = this.#plan.journal
    const { port } = serving.server
    const browserSessions = serving.server.browserSessions()
    const started = processStart(pid)
    log.info({ pid, version }, strings.hosts.handingOver)
    serving.record('hand-over')
    this.#serving = undefined
    await serving.close().catch((err: unknown) => log.warn({ err }, strings.hosts.notAllClosed))
    if (!(await this.#hasSuccessor(pid, started))) return !(await this.#resume({ port, browserSessions }))
    log.info({ pid, version }, strings.hosts.handedOver)
    return true
  }

  /** Whether the other host stands; false when it is gone, or silent for too long. */
  async #hasSuccessor(pid: number, started: string | undefined): Promise<boolean> {
    const deadline = performance.now() + SUCCESSOR_LIMIT_MS
    while (performance.now() < deadline) {
      if (readEndpoint(this.#plan.dataDir.path)?.pid === pid) return true
      if (started === undefined || processStart(pid) !== started) return false
      await wait(LOOK_AGAIN_MS)
    }
    return false
  }

  /** False when somebody else owns the data dir after all. */
  async #resume({ port, browserSessions }: { port: number; browserSessions: readonly string[] }): Promise<boolean> {
    try {
      this.#serving = await openServing({ ...this.#plan, port: { startAt: port }, browserSessions })
    } catch (failure) {
      if (failure instanceof HostRunningError) return false
      throw failure
    }
    this.#plan.journal.log.warn({}, strings.hosts.inChargeAgain)
    this.#serving.record('start')
    this.#isLeaving = false
    this.#life.resumed?.(this.#serving)
    return true
  }
}
