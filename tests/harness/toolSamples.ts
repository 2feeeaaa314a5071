import type { Created } from './workspace'

/** Where a tool is tried: a workspace of its own with one shell in it. */
export interface SamplePlace {
  project: string
  session: string
  terminal: Created
}

type Sample = (place: SamplePlace) => Record<string, unknown>

/** Arguments every tool can be called with, as a client would. */
export const TOOL_SAMPLES: Readonly<Record<string, Sample>> = {
  terminal_create_session: ({ project, session }) => ({ project, session }),
  terminal_list_sessions: ({ project, session }) => ({ project, session }),
  terminal_kill_session: ({ project, session, terminal: { id } }) => ({ project, session, id }),
  terminal_rename_session: ({ project, session, terminal: { id } }) => ({ project, session, id, name: 'renamed' }),
  terminal_reorder_sessions: ({ project, session, terminal: { id } }) => ({ project, session, orderedIds: [id] }),
  terminal__create_session: ({ project }) => ({ program: '/bin/bash', cwd: project }),
  terminal__destroy_session: ({ terminal: { id } }) => ({ session_id: id }),
  terminal__list_sessions: () => ({}),
  terminal__send: ({ terminal: { id } }) => ({ session_id: id, text: 'echo sent', submit: true }),
  terminal__read: ({ terminal: { id } }) => ({ session_id: id, view: 'screen' }),
  terminal__get_info: ({ terminal: { id } }) => ({ session_id: id }),
  terminal__resize: ({ terminal: { id } }) => ({ session_id: id, rows: 30, cols: 100 }),
  open_new_terminal: ({ project }) => ({ project }),
  execute_shell: ({ terminal: { id } }) => ({ terminal_id: id, command: 'echo done' }),
  execute_python: ({ terminal: { id } }) => ({ terminal_id: id, code: 'print(6 * 7)' }),
  execute_typescript: ({ terminal: { id } }) => ({ terminal_id: id, code: 'console.log(6 * 7 as number)' }),
  read_terminal_output: ({ terminal: { id } }) => ({ terminal_id: id }),
  list_terminals: () => ({}),
  close_terminal: ({ terminal: { id } }) => ({ terminal_id: id }),
  create_tracked_terminal: ({ project }) => ({ cwd: project }),
  get_terminal_buffer: ({ terminal: { id } }) => ({ terminalId: id }),
  list_tracked_terminals: () => ({}),
  send_to_terminal: ({ terminal: { id } }) => ({ terminalId: id, text: 'echo sent' }),
  search_terminal_buffer: () => ({ query: '$' })
}
