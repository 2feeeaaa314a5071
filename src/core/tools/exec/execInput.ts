import { z } from 'zod'

const DEFAULT_TIMEOUT_S = 30
export const DEFAULT_CHARACTERS = 40_000
const MAX_CHARACTERS = 1_000_000

/** Leaving it out is the commonest slip of agents that are used to commands without a terminal. */
export const terminalId = z
  .string({
    error: ({ input }) =>
      input === undefined ? 'is missing: call open_new_terminal first and pass its terminal_id' : undefined
  })
  .describe('From open_new_terminal or a list')

/** What every `execute_*` takes besides what it runs. */
export const executeInput = {
  terminal_id: terminalId,
  async: z.boolean().default(false).describe('Answer at once; follow with read_terminal_output'),
  timeout: z.number().min(0).default(DEFAULT_TIMEOUT_S).describe('Seconds to wait, at most 45; the command goes on'),
  env: z.record(z.string(), z.string()).default({}).describe('For this call only'),
  queue: z.boolean().default(false).describe('Wait for a running command instead of TERMINAL_BUSY'),
  max_chars: z.int().min(1).max(MAX_CHARACTERS).default(DEFAULT_CHARACTERS)
}

export type ExecuteArguments = { [K in keyof typeof executeInput]: z.infer<(typeof executeInput)[K]> }

/** Async answers have the first two alone. */
export const executeOutput = {
  command_id: z.string().nullable(),
  next_index: z.int().describe('Where read_terminal_output continues'),
  output: z.string().optional(),
  exit_code: z.int().nullable().optional(),
  signal: z.string().optional(),
  duration_ms: z.number().nullable().optional(),
  cwd: z.string().nullable().optional(),
  timed_out: z.boolean().optional(),
  running: z.boolean().optional(),
  omitted: z.int().optional().describe('Characters left out'),
  closed: z.boolean().optional().describe('The command ended the shell'),
  needs_person: z.boolean().optional().describe('It waits for something only the person may type')
}
