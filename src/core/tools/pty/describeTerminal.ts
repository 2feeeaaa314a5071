import { z } from 'zod'
import type { ForegroundProgram } from '../../backends/backend'
import type { Terminal } from '../../terminal/terminal'
import type { PlacedTerminal } from '../../workspace/listings'
import { isShell } from '../../workspace/placeTerminal'
import type { ToolContext } from '../defineTool'
import { dimensionsSchema } from './readSchema'
import { shortHandle } from './terminalOf'

/** What the caller of a create gave to its program; lives as long as the terminal is held. */
const givenArguments = new WeakMap<Terminal, readonly string[]>()

export function rememberArguments(terminal: Terminal, given: readonly string[]): void {
  givenArguments.set(terminal, given)
}

export const terminalFields = {
  session_id: z.string(),
  id: z.string(),
  program: z.string(),
  args: z.array(z.string()),
  pid: z.int().nullable(),
  created_at: z.string(),
  dimensions: dimensionsSchema,
  exited: z.boolean(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  healthy: z.boolean(),
  name: z.string(),
  project: z.string(),
  session: z.string(),
  tmuxSession: z.string()
}
export type DescribedTerminal = z.infer<z.ZodObject<typeof terminalFields>>

/** One terminal of a list, with what only the living program knows. */
export async function describeTerminal(listed: PlacedTerminal, context: ToolContext): Promise<DescribedTerminal> {
  const { id, program, pid, created, exitCode, name, project, session, tmuxSession, state } = listed
  const terminal = heldTerminal(context, id)
  const { default_rows: rows, default_cols: cols } = context.settings()
  return {
    session_id: shortHandle(id),
    id,
    program,
    args: await argumentsOf(terminal, program),
    pid,
    created_at: created,
    dimensions: terminal?.size ?? { rows, cols },
    exited: state === 'exited' || state === 'lost',
    exit_code: exitCode,
    signal: terminal?.exit?.signal ?? null,
    healthy: state === 'running',
    name,
    project,
    session,
    tmuxSession
  }
}

/** Absent for one that is lost, or whose project is not there now. */
function heldTerminal({ workspaces, caller }: ToolContext, id: string): Terminal | undefined {
  try {
    return workspaces.terminal(caller.access, id)
  } catch {
    return undefined
  }
}

/** As they were given here; of a terminal from another door or an earlier host, what the system says. */
async function argumentsOf(terminal: Terminal | undefined, program: string): Promise<string[]> {
  const given = terminal && givenArguments.get(terminal)
  if (given) return [...given]
  if (terminal?.state !== 'running' || isShell(program)) return []
  const foreground: ForegroundProgram | undefined = await terminal.foreground()
  return foreground?.isOwnProgram ? foreground.words.slice(1) : []
}
