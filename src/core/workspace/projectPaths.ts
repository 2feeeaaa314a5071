import { realpath, stat } from 'node:fs/promises'
import { type Access, maySee } from '../../shared/access'
import { absolutePath, noSuchProject } from './paths'
import { type ProjectGate, ProjectUnavailable } from './projectGate'
import { codeOf } from './safeDirectory'

/** Where a project really is. `available: false`: it is gone or does not answer, but its terminals are known. */
export interface ResolvedProject {
  real: string
  available: boolean
}

export interface ProjectPathsOptions {
  gate: ProjectGate
  /** Whether a real path is a project that has terminals, although it cannot be reached now. */
  isKnown(real: string): boolean
}

/** Turns the paths callers give into real ones: the identity of a project, and what tokens are compared with. */
export class ProjectPaths {
  /** Last known real path of each path that was ever resolved. */
  readonly #realPaths = new Map<string, string>()
  readonly #looking = new Map<string, Promise<string | undefined>>()

  constructor(private readonly options: ProjectPathsOptions) {}

  /** INVALID_ARGUMENTS when it is not, and never was, a directory we know. */
  async resolve(project: string): Promise<ResolvedProject> {
    const path = absolutePath('project', project)
    try {
      const real = await this.#look(path)
      if (real === undefined) throw noSuchProject(project)
      this.#realPaths.set(path, real)
      return { real, available: true }
    } catch (failure) {
      const known = this.#realPaths.get(path) ?? path
      if (this.options.isKnown(known)) return { real: known, available: false }
      if (failure instanceof ProjectUnavailable) this.#realPaths.delete(path)
      throw failure
    }
  }

  /** Looks up where the projects of a token really are, so that `isVisible` can tell without waiting. */
  async learn({ projects }: Access): Promise<void> {
    await Promise.all((projects ?? []).map((path) => this.#learnOne(path)))
  }

  isVisible(access: Access, realProject: string): boolean {
    if (access.projects === null) return true
    const projects = access.projects.map((path) => this.#realPaths.get(path) ?? path)
    return maySee({ ...access, projects }, realProject)
  }

  // Calls at the same time share one look, and so go on in the order they came.
  #look(path: string): Promise<string | undefined> {
    const underWay = this.#looking.get(path)
    if (underWay) return underWay
    const look = this.options.gate.run(path, () => realDirectory(path)).finally(() => this.#looking.delete(path))
    this.#looking.set(path, look)
    return look
  }

  async #learnOne(path: string): Promise<void> {
    try {
      const real = await this.#look(path)
      if (real !== undefined) this.#realPaths.set(path, real)
    } catch (failure) {
      // A project that does not answer is compared by its path as written.
      if (!(failure instanceof ProjectUnavailable)) throw failure
    }
  }
}

/** The real path, or undefined when there is no such directory or it may not be reached. */
async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return undefined
  }
}
