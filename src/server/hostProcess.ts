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
/** How long one that starts or stops may take until it is known what becomes of it. */
const SETTLE_LIMIT_MS = 5000
/** How long one that lets go may take to finish what it is writing. */
const LET_GO_LIMIT_MS = 30_000
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
  /** A start or a hand-over that is not through. */
  #underWay: Promise<unknown> | undefined
  #isLeaving = false
  #isStopped = false

  constructor(plan: HostProcessPlan, life: HostLife) {
    this.#plan = { ...plan, handOver: (request) => this.#prepareHandOver(request) }
    this.#life = life
  }

  get serving(): Serving | undefined {
    return this.#serving
  }

  /** Undefined when it was told to stop meanwhile. */
  async start(): Promise<Serving | undefined> {
    const opening = this.#openInPlaceOfAnother()
    this.#underWay = opening.then(
      (serving) => this.#began(serving),
      () => undefined
    )
    const serving = await opening.catch((failure: unknown) => {
      if (this.#isStopped) return undefined
      throw failure
    })
    return this.#isStopped ? undefined : serving
  }

  /** Stops once, however often it is called, and also when it is still starting. */
  async stop(): Promise<void> {
    this.#isLeaving = true
    this.#isStopped = true
    await this.#underWay
    const serving = this.#serving
    this.#serving = undefined
    serving?.record('stop')
    await serving?.close()
  }

  #began(serving: Serving): void {
    this.#serving = serving
    serving.record('start')
  }

  /** One that is only starting or stopping has not decided anything yet: what becomes of it is waited for. */
  async #openInPlaceOfAnother(): Promise<Serving> {
    const mayWait = ({ url }: HostRunningError) => url === undefined && !this.#isStopped
    try {
      return await whenFree(() => openServing(this.#plan), { limitMs: SETTLE_LIMIT_MS, mayWait })
    } catch (failure) {
      if (!(failure instanceof HostRunningError) || this.#isStopped) throw failure
      return this.#takeOver(failure)
    }
  }

  async #takeOver(failure: HostRunningError): Promise<Serving> {
    const { dataDir, isForced = false, port, token, journal } = this.#plan
    const inherited = await takeOver({ dataDir: dataDir.path, isForced, port, log: journal.log })
    if (!inherited) throw failure
    const plan = { ...this.#plan, ...inherited, token: token ?? inherited.token }
    return whenFree(() => openServing(plan), { limitMs: LET_GO_LIMIT_MS, mayWait: () => !this.#isStopped })
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
    const letGo = () => {
      this.#underWay = leave().catch((failure: unknown) => this.#life.ended(failure))
    }
    return { letGo }
  }

  /** True when another host is in charge now; false when this one is again. */
  async #handOver(serving: Serving, { pid, version }: HandOverRequest): Promise<boolean> {
    const { log } = this.#plan.journal
    const { port } = serving.server
    const browserSessions = serving.server.browserSessions()
    const token = serving.host.tokens.ownerToken
    const started = processStart(pid)
    log.info({ pid, version }, strings.hosts.handingOver)
    serving.record('hand-over')
    this.#serving = undefined
    await serving.close().catch((err: unknown) => log.warn({ err }, strings.hosts.notAllClosed))
    if (!(await this.#hasSuccessor(pid, started))) {
      return this.#isStopped || !(await this.#resume({ port: { startAt: port }, browserSessions, token }))
    }
    log.info({ pid, version }, strings.hosts.handedOver)
    return true
  }

  /** Whether the other host stands; false when it is gone, or silent for too long. */
  async #hasSuccessor(pid: number, started: string | undefined): Promise<boolean> {
    const deadline = performance.now() + SUCCESSOR_LIMIT_MS
    while (performance.now() < deadline && !this.#isStopped) {
      if (readEndpoint(this.#plan.dataDir.path)?.pid === pid) return true
      if (started === undefined || processStart(pid) !== started) return false
      await wait(LOOK_AGAIN_MS)
    }
    return false
  }

  /** As it was before, under the token that agents have. False when somebody else owns the data dir after all. */
  async #resume(before: Pick<ServingPlan, 'port' | 'browserSessions' | 'token'>): Promise<boolean> {
    try {
      this.#serving = await openServing({ ...this.#plan, ...before })
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
