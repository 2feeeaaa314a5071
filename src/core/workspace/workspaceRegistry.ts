import type { Access } from '../../shared/access'
import type { WorkspaceKey } from '../../shared/terminal'
import type { KnownWorkspaces } from './knownWorkspaces'
import { noSuchProject, projectHashOf, sessionSegments, workspaceIdOf } from './paths'
import { ProjectPaths } from './projectPaths'
import { Workspace } from './workspace'
import type { WorkspaceContext } from './workspaceContext'

/** A workspace found for a caller, and whether its project can be reached now. */
export interface FoundWorkspace {
  workspace: Workspace
  available: boolean
}

/** Finds the one Workspace object for a project and session, for callers that may see the project. */
export class WorkspaceRegistry {
  readonly #workspaces = new Map<string, { workspace: Workspace; users: number }>()
  readonly #paths: ProjectPaths

  constructor(
    private readonly known: KnownWorkspaces,
    private readonly context: WorkspaceContext
  ) {
    const isKnown = (real: string) => known.all().some(({ project }) => project === real)
    this.#paths = new ProjectPaths({ gate: context.gate, isKnown })
  }

  /** Runs `work` on the workspace; a project the caller may not see is refused exactly like one that is not there. */
  async withWorkspace<T>(access: Access, key: WorkspaceKey, work: (found: FoundWorkspace) => Promise<T>): Promise<T> {
    sessionSegments(key.session)
    await this.#paths.learn(access)
    const { real, available } = await this.#resolve(access, key.project)
    return this.withReal({ project: real, session: key.session }, (workspace) => work({ workspace, available }))
  }

  /** Runs `work` on a workspace named by its real path. */
  async withReal<T>(key: WorkspaceKey, work: (workspace: Workspace) => Promise<T>): Promise<T> {
    const id = workspaceIdOf(projectHashOf(key.project), key.session)
    const entry = this.#workspaces.get(id) ?? { workspace: new Workspace(key, this.context), users: 0 }
    this.#workspaces.set(id, entry)
    entry.users += 1
    try {
      return await work(entry.workspace)
    } finally {
      entry.users -= 1
      // Asking for workspaces that do not exist must not fill the memory.
      if (entry.users === 0 && entry.workspace.isIdle && !this.known.has(key)) this.#workspaces.delete(id)
    }
  }

  byId(id: string | undefined): Workspace | undefined {
    return id === undefined ? undefined : this.#workspaces.get(id)?.workspace
  }

  isVisible(access: Access, realProject: string): boolean {
    return this.#paths.isVisible(access, realProject)
  }

  learn(access: Access): Promise<void> {
    return this.#paths.learn(access)
  }

  all(): Workspace[] {
    return [...this.#workspaces.values()].map(({ workspace }) => workspace)
  }

  async #resolve(access: Access, project: string) {
    const resolved = await this.#paths.resolve(project)
    if (this.isVisible(access, resolved.real)) return resolved
    throw noSuchProject(project)
  }
}
