import { basename } from 'node:path'
import { z } from 'zod'
import type { PlacedTerminal } from '../../workspace/listings'
import { absolutePath } from '../../workspace/paths'
import type { Workspaces } from '../../workspace/workspaces'
import { answerSchema, answerText } from '../answers'
import { defineTool, type ToolContext } from '../defineTool'

const listedSchema = z.object({
  terminal_id: z.string(),
  session_id: z.string(),
  project: z.string(),
  name: z.string(),
  tmuxSession: z.string(),
  shell: z.string(),
  cwd: z.string(),
  pid: z.int().nullable(),
  created_at: z.string(),
  last_accessed: z.string(),
  running: z.boolean().describe('A command runs'),
  closed: z.boolean().describe('Its program has ended'),
  exit_code: z.int().nullable()
})
type Listed = z.infer<typeof listedSchema>

// Room for the warnings below the limit of 40,000 characters for one answer.
const MAX_LIST_CHARACTERS = 38_000

export const listTerminals = defineTool({
  name: 'list_terminals',
  toolset: 'exec',
  title: 'List terminals',
  description:
    'List every open terminal, whoever opened it, with what execute_* needs. Narrow it by project or collab session.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    session_id: z.string().optional().describe('Collab session name'),
    project: z.string().optional()
  }),
  output: answerSchema({ terminals: z.array(listedSchema), count: z.int() }),

  async run({ session_id, project }, { workspaces, caller }) {
    const wanted = project === undefined ? undefined : absolutePath('project', project)
    const all = await workspaces.listAll(caller.access)
    const chosen = all.filter(
      (one) =>
        (session_id === undefined || one.session === session_id) && (wanted === undefined || one.project === wanted)
    )
    const terminals = chosen.map((one) => describe(one, workspaces, caller.access))
    return { terminals, count: terminals.length }
  },

  text: ({ terminals, warnings }) => answerText(lines(terminals), warnings)
})

function describe(one: PlacedTerminal, workspaces: Workspaces, access: ToolContext['caller']['access']): Listed {
  const terminal = one.state === 'running' ? workspaces.terminal(access, one.id) : undefined
  const { id, session, project, name, tmuxSession, program, cwd, pid, created, state, exitCode } = one
  return {
    terminal_id: id,
    session_id: session,
    project,
    name,
    tmuxSession,
    shell: program,
    cwd: terminal?.shell.cwd ?? cwd,
    pid,
    created_at: created,
    last_accessed: terminal?.commands.all().at(-1)?.started ?? created,
    running: terminal?.shell.state === 'running',
    closed: state === 'exited' || state === 'lost',
    exit_code: exitCode
  }
}

function lines(terminals: readonly Listed[]): string[] {
  if (terminals.length === 0) return ['No terminals. Use open_new_terminal to open one.']
  const shown: string[] = []
  let characters = 0
  for (const terminal of terminals) {
    const line = describeOne(terminal)
    characters += line.length + 1
    if (characters > MAX_LIST_CHARACTERS) break
    shown.push(line)
  }
  const omitted = terminals.length - shown.length
  return omitted === 0 ? shown : [...shown, `${omitted} more terminals are in the structured content.`]
}

function describeOne({
  terminal_id,
  name,
  shell,
  cwd,
  running,
  closed,
  exit_code,
  project,
  session_id
}: Listed): string {
  const state = closed ? `ended${exit_code === null ? '' : ` with code ${exit_code}`}` : running ? 'busy' : 'idle'
  return `${terminal_id} ${JSON.stringify(name)} ${state}: ${basename(shell)} in ${cwd}; ${project}, session ${session_id}`
}
