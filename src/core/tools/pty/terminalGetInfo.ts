import { z } from 'zod'
import { sessionNotFound } from '../../workspace/terminalFinder'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { describeTerminal, terminalFields } from './describeTerminal'
import { rowAndColumnSchema } from './readSchema'
import { terminalOf } from './terminalOf'

export const terminalGetInfo = defineTool({
  name: 'terminal__get_info',
  toolset: 'pty',
  title: 'Terminal state',
  description:
    'State of one terminal without its content: current directory, cursor, size, what runs in front, exit code. To read text use terminal__read.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ session_id: z.string() }),
  output: answerSchema({
    ...terminalFields,
    cursor: rowAndColumnSchema,
    cwd: z.string().nullable(),
    foreground: z.string().nullable(),
    at_prompt: z.boolean().nullable(),
    needs_person: z.boolean(),
    alternate_screen: z.boolean()
  }),

  async run({ session_id }, context) {
    const terminal = await terminalOf(context, session_id)
    const listed = (await context.workspaces.listAll(context.caller.access)).find(({ id }) => id === terminal.id)
    if (!listed) throw sessionNotFound(session_id)
    const { cursor, isFullScreen } = await terminal.screen.inspect(({ cursor, buffer }) => ({
      cursor: { row: cursor.row + 1, col: cursor.column + 1 },
      isFullScreen: buffer.active.type === 'alternate'
    }))
    const isRunning = terminal.state === 'running'
    return {
      ...(await describeTerminal(listed, context)),
      cursor,
      cwd: isRunning ? ((await terminal.currentDirectory()) ?? null) : null,
      foreground: isRunning ? ((await terminal.foreground())?.name ?? null) : null,
      at_prompt: isRunning && terminal.shell.isIntegrated ? terminal.shell.state === 'prompt' : null,
      needs_person: await terminal.needsPerson(),
      alternate_screen: isFullScreen
    }
  },

  text: (info) => {
    const state = info.exited ? `exited with ${info.signal ?? `code ${info.exit_code ?? 'unknown'}`}` : 'running'
    const { rows, cols } = info.dimensions
    const facts = [
      `${info.session_id} ${JSON.stringify(info.name)} ${state}: ${[info.program, ...info.args].join(' ')}`,
      `cwd ${info.cwd ?? 'unknown'}, ${rows}x${cols}, cursor at row ${info.cursor.row}, col ${info.cursor.col}`,
      `foreground ${info.foreground ?? 'none'}${info.at_prompt ? ', at the prompt' : ''}, pid ${info.pid ?? 'none'}`
    ]
    if (info.needs_person) facts.push('It waits for a password or the like: ask the person to type it.')
    return facts.join('\n')
  }
})
