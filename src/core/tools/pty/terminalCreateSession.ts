import { z } from 'zod'
import type { Warning } from '../../../shared/errors'
import type { Terminal } from '../../terminal/terminal'
import { waitFor } from '../../terminal/waits/waitFor'
import { defaultShell } from '../../workspace/findProgram'
import { isShell } from '../../workspace/placeTerminal'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool, type ToolContext } from '../defineTool'
import { rememberArguments } from './describeTerminal'
import { dimensionsSchema, MAX_WAIT_MS } from './readSchema'
import { readersOf, shortHandle } from './terminalOf'

export const terminalCreateAnySession = defineTool({
  name: 'terminal__create_session',
  toolset: 'pty',
  title: 'Open terminal',
  description:
    'Start a shell or any interactive program (vim, htop, python3, installers) in a new terminal that people see as a tab. Drive it with terminal__send and terminal__read. To only run shell commands and get exit codes use open_new_terminal and execute_shell.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    program: z.string().min(1).optional().describe('Path or name; default the shell'),
    args: z.array(z.string()).default([]),
    rows: z.int().min(1).max(500).optional(),
    cols: z.int().min(2).max(1000).optional(),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
    project: z.string().optional(),
    name: z.string().optional().describe('Tab name'),
    wait_ready: z.boolean().optional().describe('Wait for the prompt; default true for shells'),
    ready_timeout_ms: z.int().min(0).default(5000)
  }),
  output: answerSchema({
    session_id: z.string(),
    id: z.string(),
    pid: z.int().nullable(),
    program: z.string(),
    args: z.array(z.string()),
    dimensions: dimensionsSchema,
    name: z.string(),
    project: z.string(),
    session: z.string(),
    tmuxSession: z.string()
  }),

  async run(args, context) {
    const { workspaces, caller, settings } = context
    const { default_rows, default_cols, default_shell } = settings()
    const program = args.program ?? (args.args.length > 0 ? defaultShell(default_shell, process.env) : undefined)
    const size = { rows: args.rows ?? default_rows, cols: args.cols ?? default_cols }
    const created = await workspaces.createAnywhere(caller.access, {
      project: args.project,
      name: args.name,
      cwd: args.cwd,
      callerCwd: caller.cwd,
      env: args.env,
      size,
      command: program === undefined ? undefined : [program, ...args.args],
      openedBy: { toolset: 'pty' },
      idempotency:
        context.idempotencyKey === undefined ? undefined : { caller: caller.key, key: context.idempotencyKey }
    })
    const { record, place, warnings } = created
    const terminal = workspaces.terminal(caller.access, record.id)
    rememberArguments(terminal, args.args)
    const isWaitedFor = args.wait_ready ?? isInteractiveShell(record.program, args.args)
    const late = isWaitedFor ? await waitReady(terminal, args.ready_timeout_ms, context) : []
    const { id, pid, name, tmuxSession } = record
    const facts = { pid, program: record.program, args: args.args, dimensions: size, name, ...place, tmuxSession }
    return withWarnings({ session_id: shortHandle(id), id, ...facts }, [...warnings, ...late])
  },

  text: ({ session_id, program, pid, dimensions, warnings }) =>
    answerText(
      [`${session_id} runs ${program} (pid ${pid ?? 'unknown'}), ${dimensions.rows}x${dimensions.cols}.`],
      warnings
    )
})

/** One that is given a command to run shows no prompt. */
function isInteractiveShell(program: string, args: readonly string[]): boolean {
  return isShell(program) && !args.some((argument) => /^-[a-z]*c$/.test(argument))
}

async function waitReady(terminal: Terminal, timeoutMs: number, context: ToolContext): Promise<Warning[]> {
  const request = {
    timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS),
    idleMs: 0,
    settledMs: 0,
    forPrompt: true,
    pattern: undefined,
    from: 0,
    promptPattern: context.settings().prompt_pattern,
    readers: readersOf(terminal)
  }
  const fired = await waitFor(terminal, request, context.signal)
  if (fired !== 'timeout') return []
  return [{ code: 'WAIT_TIMEOUT', message: `Wait timeout after ${request.timeoutMs}ms: no prompt seen yet` }]
}
