/** What a token may do: look, type (and create, rename, reorder), kill. */
export const SCOPES = ['read', 'type', 'kill'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * The rights behind one request. `projects: null` means every project; otherwise everything outside the
 * listed project directories does not exist for this caller.
 */
export interface Access {
  /** The token's name: `owner`, or the name given to `tandem token add`. */
  name: string
  scopes: readonly Scope[]
  projects: readonly string[] | null
}

/** Token plus client identity: what idempotency keys and reading marks belong to. */
export interface Caller {
  access: Access
  /** Self-reported by the client; for display only. */
  clientName: string
  /** Stable for one client across its requests. */
  key: string
  /** The working directory of the client's bridge: where it means to be when it names no other. */
  cwd?: string | undefined
  /** The bridge (`tandem mcp`) it speaks through, unique among all tokens: its ephemeral terminals end with it. */
  bridge?: string | undefined
}

export function maySee(access: Access, project: string): boolean {
  return access.projects === null || access.projects.includes(project)
}
