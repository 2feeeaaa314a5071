import type { Workspaces } from '../core/workspace/workspaces'
import type { Access } from '../shared/access'
import type { Handlers } from '../shared/ipc'
import type { WorkspaceKey } from '../shared/terminal'

type Traced = <T>(action: string, where: WorkspaceKey & { id?: string }, what: { run: () => Promise<T> }) => Promise<T>

/** How a person keeps a terminal's keyboard from agents, and returns it. */
export function controlHandlers(
  { workspaces, access }: { workspaces: Workspaces; access: Access },
  traced: Traced
): Pick<Handlers, 'takeControl' | 'giveBack'> {
  const control = (id: string) => workspaces.terminal(access, id).control
  return {
    takeControl: (workspace, id) =>
      traced(
        'take',
        { ...workspace, id },
        {
          run: async () => {
            control(id).take({ kind: 'person', name: access.name })
            return true
          }
        }
      ),
    giveBack: (workspace, id) =>
      traced(
        'giveBack',
        { ...workspace, id },
        {
          run: async () => {
            control(id).giveBack()
            return true
          }
        }
      )
  }
}
