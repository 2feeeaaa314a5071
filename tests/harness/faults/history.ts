import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { pause, until } from '../waiting'
import { hangUp } from './door'
import type { FaultHost } from './faultHost'
import type { Injection } from './faultRow'
import { type Random, seededRandom } from './random'
import { mountMissing, mountSmallDisk, type SmallDisk } from './smallDisk'
import { StreamClient } from './streamClient'
import { TcpProxy } from './tcpProxy'
import { Typist } from './typist'
import { WorkspaceModel } from './workspaceModel'

const COLLECT = fileURLToPath(new URL('collectOnSignal.cjs', import.meta.url))
const SESSIONS = ['one', 'two', 'deep/three']

/** For a host whose footprint is taken. */
export const COLLECTING = { NODE_OPTIONS: `--require=${COLLECT}` }

/** What a host holds when nothing is open in it but the typist's terminal. */
export interface Footprint {
  residentBytes: number
  descriptors: number
}

type Step = fc.AsyncCommand<object, History>

/** One world, worked in and hurt at random; what must hold is checked against the models. */
export class History {
  readonly models: WorkspaceModel[]
  readonly typist: Typist
  readonly #random: Random
  readonly #disk: SmallDisk | undefined
  #onDisk: WorkspaceModel | undefined

  private constructor(
    readonly host: FaultHost,
    readonly injection: Injection
  ) {
    this.#random = seededRandom(injection.random.below(2 ** 31))
    this.#disk = mountMissing() === undefined ? mountSmallDisk(join(host.world.root, 'disk')) : undefined
    const doors = SESSIONS.map((session) => host.door(session))
    this.models = doors.map((door) => new WorkspaceModel(host, this.#random, door))
    if (this.#disk) {
      this.#onDisk = new WorkspaceModel(host, this.#random, host.door('work', this.#disk.path))
      this.models.push(this.#onDisk)
    }
    this.typist = new Typist(host)
  }

  static async during(host: FaultHost, injection: Injection, work: (history: History) => Promise<void>): Promise<void> {
    const history = new History(host, injection)
    try {
      await history.typist.start()
      await work(history)
    } finally {
      history.#disk?.remove()
    }
  }

  /** At most so many steps, and everything checked at their end. `isCalm`: the host lives through all of them. */
  async play(count: number, { isCalm }: { isCalm: boolean }): Promise<void> {
    const commands = fc.commands([...this.#work(), ...this.#faults(), ...(isCalm ? [] : this.#ends())], {
      maxCommands: count,
      size: 'max'
    })
    // Never made shorter: the seed brings a history back, and a shorter one would be another.
    const [steps] = fc.sample(commands, { numRuns: 1, seed: this.#random.below(2 ** 31) })
    if (!steps) throw new Error('no history')
    try {
      await fc.asyncModelRun(() => ({ model: {}, real: this }), steps)
      await this.verify()
    } catch (failure) {
      throw new Error(`${failure instanceof Error ? failure.stack : failure}\nafter ${steps}`)
    }
  }

  /** Closes everything but the typist's terminal, and looks when nothing moves any more. */
  async footprint(): Promise<Footprint> {
    for (const model of this.models) await model.closeAll()
    hangUp()
    let descriptors = this.host.openDescriptors()
    const isSteady = async () => {
      const before = descriptors
      await pause(1000)
      descriptors = this.host.openDescriptors()
      return descriptors === before
    }
    await until(isSteady, { what: 'the descriptors to be steady' })
    // The least of several looks: what a collector takes is no growth.
    const looks: number[] = []
    for (let look = 0; look < 5; look += 1) {
      process.kill(this.host.pid, 'SIGUSR2')
      await pause(500)
      looks.push(this.host.residentBytes())
    }
    return { residentBytes: Math.min(...looks), descriptors }
  }

  async restart(): Promise<void> {
    await this.host.tandem.end('SIGTERM')
    await this.host.restart()
  }

  async verify(): Promise<void> {
    const { host, models, injection } = this
    for (const model of models) await model.verify()
    this.typist.verify()
    const doors = [...models.map(({ door }) => door), this.typist.door]
    const recorded = doors.flatMap((door) => host.stored(door).map(({ tmuxSession }) => tmuxSession))
    if (new Set(recorded).size < recorded.length) injection.loss('a session has two records')
    const orphans = () => host.stamped().filter((name) => !recorded.includes(name))
    await until(() => orphans().length === 0, { what: `records for ${orphans().join()}` })
    for (const changed of host.bystander.changes()) injection.loss(`the person's own tmux: ${changed}`)
  }

  #work(): fc.Arbitrary<Step>[] {
    const which = fc.nat(this.models.length - 1)
    return [
      ...[1, 2, 3, 4].map(() => which.map((at) => step(`change ${at}`, (one) => one.#change(at)))),
      fc.integer({ min: 1, max: 5 }).map((count) => step(`type ${count}`, ({ typist }) => typist.type(count))),
      fc.constant(step('read', ({ typist }) => typist.read())),
      fc.constant(step('verify', (one) => one.verify()))
    ]
  }

  /** Faults that the host lives through. */
  #faults(): fc.Arbitrary<Step>[] {
    const which = fc.nat(this.models.length - 1)
    const tmux = () => this.host.world.tmuxServerPid()
    return [
      fc.nat(300).map((ms) => step(`tmux stands still for ${ms} ms`, () => standStill(tmux(), ms))),
      fc.nat(300).map((ms) => step(`the host stands still for ${ms} ms`, ({ host }) => standStill(host.pid, ms))),
      which.map((at) => step(`damage ${at}`, (one) => one.#damage(at))),
      fc.constant(step('tmux is killed', (one) => one.#killTmux())),
      fc.constant(step('the tmux socket is deleted', (one) => one.#deleteSocket())),
      fc.integer({ min: 1, max: 3 }).map((cuts) => step(`a viewer is cut ${cuts} times`, (one) => one.#cut(cuts))),
      ...(this.#disk ? [fc.constant(step('the disk is full', (one) => one.#fillDisk()))] : [])
    ]
  }

  /** Faults that end the host. */
  #ends(): fc.Arbitrary<Step>[] {
    return [
      fc.nat(150).map((ms) => step(`crash after ${ms} ms`, (one) => one.#crash(ms))),
      fc.constant(step('stop and start', (one) => one.restart()))
    ]
  }

  async #change(at: number): Promise<void> {
    const model = this.models[at]
    if (!(await model?.change(5))) await model?.verify()
  }

  async #crash(delayMs: number): Promise<void> {
    const load = this.models.map(async (model) => {
      while (await model.change(5)) {
        // The next one, until the host is gone.
      }
    })
    await this.typist.typeBlindly(3)
    await pause(delayMs)
    await this.host.crash()
    await Promise.all(load)
    await this.host.restart()
    for (const model of this.models) await model.verify()
  }

  /** A store that vanishes is rebuilt from what lives. */
  async #damage(at: number): Promise<void> {
    const model = this.models[at]
    if (!model || model.terminals.length === 0) return
    await model.verify()
    this.host.damage(model.door)
    await model.verify()
  }

  /** Every terminal is lost, and none of its records: they go only when they are closed. */
  async #killTmux(): Promise<void> {
    for (const model of this.models) await model.verify()
    this.typist.verify()
    process.kill(this.host.world.tmuxServerPid(), 'SIGKILL')
    for (const model of this.models) await model.loseAll()
    await this.typist.startAnew()
  }

  async #deleteSocket(): Promise<void> {
    const { world } = this.host
    const [server, socket] = [world.tmuxServerPid(), world.tmux('display-message', '-p', '#{socket_path}').trim()]
    rmSync(socket)
    for (const model of this.models) await model.verify()
    process.kill(server, 'SIGUSR1')
    await until(() => existsSync(socket), { what: 'the socket to be back' })
  }

  /** What was on its way is asked for again from the last byte that is certain. */
  async #cut(cuts: number): Promise<void> {
    const proxy = await TcpProxy.start(this.host.tandem.ready.url)
    const client = new StreamClient(this.host.tandem, this.typist.tmuxSession, proxy)
    try {
      await client.connect()
      for (let cut = 0; cut < cuts; cut += 1) {
        await this.typist.type(2)
        proxy.cut()
        await until(() => client.isClosed, { what: 'the cut to be noticed' })
        client.take()
        await client.connect()
      }
      client.take()
      if (client.gaps > 0) this.injection.loss(`${client.gaps} times a viewer did not go on where it was cut`)
    } finally {
      await proxy.close()
    }
  }

  async #fillDisk(): Promise<void> {
    const model = this.#onDisk
    if (!model) return
    this.#disk?.fill()
    try {
      for (let number = 0; number < 3; number += 1) await model.change(5)
    } finally {
      this.#disk?.free()
    }
    await model.saved()
    await model.verify()
  }
}

/** A step that is always possible; what must hold is checked in the real world, against the models kept there. */
function step(name: string, run: (history: History) => Promise<void>): Step {
  return {
    check: () => true,
    run: async (_, history) => {
      // A soak's time may be up in the middle of a part.
      if (history.injection.isOver) return
      await run(history)
      history.injection.did()
    },
    toString: () => name
  }
}

async function standStill(pid: number, forMs: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await pause(forMs)
  process.kill(pid, 'SIGCONT')
}
