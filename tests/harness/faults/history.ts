import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { pause, until } from '../waiting'
import { type Door, hangUp } from './door'
import type { FaultHost } from './faultHost'
import type { Injection } from './faultRow'
import { ends, faults, heavyFaults, type Kind, work } from './historySteps'
import { type Random, seededRandom } from './random'
import { mountMissing, mountSmallDisk, type SmallDisk } from './smallDisk'
import { Typist } from './typist'
import { WorkspaceModel } from './workspaceModel'

const COLLECT = fileURLToPath(new URL('collectOnSignal.cjs', import.meta.url))
const SESSIONS = ['one', 'two', 'deep/three']
/** The host is asked about everything after so many steps; the disk and the programs are looked at after each. */
const STEPS_PER_VERIFY = 10
/** In so many steps by chance alone every kind of them has come. */
const STEPS_FOR_ALL = 1000

/** For a host whose footprint is taken. */
export const COLLECTING = { NODE_OPTIONS: `--require=${COLLECT}` }

/** What a host holds when nothing is open in it but the typist's terminal. */
export interface Footprint {
  residentBytes: number
  descriptors: number
}

/** A workspace on a disk of its own. */
export interface DiskPlace {
  disk: SmallDisk
  model: WorkspaceModel
}

/** One world, worked in and hurt at random; what must hold is checked against the models. */
export class History {
  readonly models: WorkspaceModel[]
  readonly typist: Typist
  readonly random: Random
  /** Absent where nothing can be mounted. */
  readonly small: DiskPlace | undefined
  /** In a project that can be moved away. */
  readonly movable: WorkspaceModel
  readonly #ran = new Map<string, number>()
  #steps = 0

  private constructor(
    readonly host: FaultHost,
    readonly injection: Injection
  ) {
    this.random = seededRandom(injection.random.below(2 ** 31))
    const modelOf = (door: Door) => new WorkspaceModel(host, this.random, door)
    const project = join(host.world.root, 'movable')
    mkdirSync(project, { mode: 0o700 })
    this.movable = modelOf(host.door('work', project))
    if (mountMissing() === undefined) {
      const disk = mountSmallDisk(join(host.world.root, 'disk'))
      this.small = { disk, model: modelOf(host.door('work', disk.path)) }
    }
    const others = this.small ? [this.movable, this.small.model] : [this.movable]
    this.models = [...SESSIONS.map((session) => modelOf(host.door(session))), ...others]
    this.typist = new Typist(host)
  }

  static async during(host: FaultHost, injection: Injection, work: (history: History) => Promise<void>): Promise<void> {
    const history = new History(host, injection)
    try {
      await history.typist.start()
      await work(history)
      history.#noteKinds()
    } finally {
      history.small?.disk.remove()
    }
  }

  /** At most so many steps, and everything checked at their end. `isCalm`: the host lives through all of them. */
  async play(count: number, { isCalm }: { isCalm: boolean }): Promise<void> {
    const kinds = isCalm ? this.#calmKinds() : this.#kinds()
    const commands = fc.commands(
      kinds.map((kind) => this.#stepsOf(kind)),
      { maxCommands: count, size: 'max' }
    )
    // Never made shorter: the seed brings a history back, and a shorter one would be another.
    const [steps] = fc.sample(commands, { numRuns: 1, seed: this.random.below(2 ** 31) })
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
    for (const model of models) {
      await model.verify()
      await model.checkEnded()
    }
    this.typist.verify()
    const doors = [...models.map(({ door }) => door), this.typist.door]
    const recorded = doors.flatMap((door) => host.stored(door).map(({ tmuxSession }) => tmuxSession))
    if (new Set(recorded).size < recorded.length) injection.loss('a session has two records')
    const orphans = () => host.stamped().filter((name) => !recorded.includes(name))
    await until(() => orphans().length === 0, { what: () => `records for ${orphans().join()}` })
    for (const change of host.changesOfOthers()) injection.loss(change)
  }

  /** Waits until the host knows again what every terminal does. */
  async recovered(): Promise<void> {
    const isKnown = ({ state }: { state: string }) => state !== 'unknown' && state !== 'unavailable'
    for (const door of [...this.models.map((model) => model.door), this.typist.door]) {
      await until(async () => (await door.list()).every(isKnown), { what: `the states of ${door.session}` })
    }
  }

  /** What is checked after every step: nothing is under way then, and the host is not asked. */
  #check(): void {
    for (const model of this.models) {
      model.checkDisk()
      model.checkPrograms()
    }
    this.typist.verify()
  }

  #kinds(): Kind[] {
    return [...this.#calmKinds(), ...heavyFaults(this), ...ends()]
  }

  #calmKinds(): Kind[] {
    return [...work(this), ...faults(this)]
  }

  #stepsOf({ name, most, run, isSlow = false }: Kind): fc.Arbitrary<fc.AsyncCommand<object, History>> {
    return fc.nat(most).map((amount) => ({
      check: () => true,
      run: async (_, history) => {
        // A soak's time may be up in the middle of a part.
        if (history.injection.isOver) return
        if (isSlow && !history.injection.isFull && history.#ran.has(name)) return
        await run(history, amount)
        await history.#ranOne(name)
      },
      toString: () => `${name} (${amount})`
    }))
  }

  async #ranOne(name: string): Promise<void> {
    this.#ran.set(name, (this.#ran.get(name) ?? 0) + 1)
    this.#check()
    this.#steps += 1
    if (this.#steps % STEPS_PER_VERIFY === 0) await this.verify()
    this.injection.did()
  }

  /** In the table stands how often each kind came; one that never did was not tried. */
  #noteKinds(): void {
    for (const { name } of this.#kinds()) {
      const times = this.#ran.get(name) ?? 0
      this.injection.note(name, times)
      if (times === 0 && this.#steps >= STEPS_FOR_ALL) this.injection.loss(`it never came to this: ${name}`)
    }
  }
}
