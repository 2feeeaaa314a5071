import type { WorkspaceKey } from '../../../shared/terminal'

/** A workspace as one string, for maps and React keys. */
export function workspaceId({ project, session }: WorkspaceKey): string {
  return JSON.stringify([project, session])
}

/** The folder's own name, as the sidebar shows it. */
export function folderName(project: string): string {
  return project.split('/').filter(Boolean).at(-1) ?? '/'
}
