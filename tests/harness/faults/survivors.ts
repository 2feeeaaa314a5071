import type { Door } from './door'
import type { FaultHost } from './faultHost'
import type { WorkspaceModel } from './workspaceModel'

/** What lives while no host does: the next one ends none of it, and each has one record again. */
export class Survivors {
  private constructor(
    private readonly host: FaultHost,
    private readonly doors: readonly Door[],
    private readonly living: readonly string[],
    private readonly ending: readonly string[],
    /** Lived when no file said so. */
    readonly unrecorded: readonly string[]
  ) {}

  /** Between the death of a host and the start of the next. `others`: workspaces in which nothing was under way. */
  static look(host: FaultHost, models: readonly WorkspaceModel[], others: readonly Door[] = []): Survivors {
    const doors = [...models.map(({ door }) => door), ...others]
    const ending = models.flatMap((model) => model.ending)
    const living = host.stamped().filter((name) => !ending.includes(name))
    const recorded = doors.flatMap((door) => host.onDisk(door)?.sessions ?? []).map((one) => one.tmuxSession)
    const unrecorded = living.filter((name) => !recorded.includes(name))
    return new Survivors(host, doors, living, ending, unrecorded)
  }

  /** After the next host has taken everything up. */
  losses(): string[] {
    const recorded = this.doors.flatMap((door) => this.host.stored(door).map(({ tmuxSession }) => tmuxSession))
    const stamped = this.host.stamped().filter((name) => !this.ending.includes(name))
    const ended = this.living.filter((name) => !stamped.includes(name))
    const orphans = stamped.filter((name) => !recorded.includes(name))
    return [
      ...ended.map((name) => `${name} lived without a host and was ended by the next`),
      ...orphans.map((name) => `${name} lives and has no record`),
      ...(new Set(recorded).size < recorded.length ? [`a session has two records: ${recorded.join()}`] : [])
    ]
  }
}
