import { z } from 'zod'

/** No call waits longer. */
export const MAX_WAIT_MS = 45_000
export const DEFAULT_WAIT_MS = 30_000
const DEFAULT_CHARACTERS = 40_000
const MAX_CHARACTERS = 1_000_000
const MAX_LINES = 100_000
const milliseconds = z.int().min(0)

/** How to read and what to wait for; the same for a read of its own and one that follows an input. */
export const readInput = {
  view: z
    .enum(['screen', 'new', 'scrollback'])
    .default('new')
    .describe('screen: what is shown; new: output you have not read'),
  format: z.enum(['plain', 'raw']).default('plain'),
  timeout_ms: milliseconds.optional().describe('Default 30000 with a wait condition, else 0; at most 45000'),
  wait_for_prompt: z.boolean().default(false).describe('Until the shell is done'),
  wait_for: z.string().min(1).optional().describe('Until this RE2 pattern appears'),
  wait_idle_ms: milliseconds.default(0).describe('Until no output for this long'),
  wait_settled: z
    .union([z.boolean(), milliseconds])
    .default(false)
    .describe('As idle (ms, or true: 500), ignoring spinners and clocks'),
  wait_for_exit: z.boolean().default(false),
  offset: z.int().min(0).default(0).describe('scrollback: lines back from the last'),
  limit: z.int().min(1).max(MAX_LINES).default(1000),
  cursor: z.int().min(0).optional().describe('new: read from here, leaving your mark alone'),
  since_revision: z.int().min(0).optional().describe('screen: only rows changed since'),
  max_chars: z.int().min(1).max(MAX_CHARACTERS).default(DEFAULT_CHARACTERS)
}

export const readInputSchema = z.strictObject(readInput)
export type ReadArguments = z.infer<typeof readInputSchema>

const rowAndColumn = z.object({ row: z.int(), col: z.int() })
const dimensions = z.object({ rows: z.int(), cols: z.int() })

export const readOutput = {
  content: z.string(),
  lines: z.int(),
  /** Where the cursor is (screen), or where a next read goes on (new). */
  cursor: z.union([rowAndColumn, z.int()]).nullable(),
  dimensions,
  has_new_content: z.boolean(),
  prompt_detected: z.boolean(),
  prompt_source: z.enum(['shell', 'pattern']).nullable(),
  idle: z.boolean(),
  fired: z.enum(['prompt', 'idle', 'match', 'exit', 'timeout']).nullable(),
  timed_out: z.boolean(),
  exited: z.boolean(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  needs_person: z.boolean(),
  omitted: z.int(),
  alternate_screen: z.boolean(),
  encoding: z.enum(['utf8', 'base64']).optional(),
  dropped: z.int().optional(),
  dropped_exact: z.boolean().optional(),
  total_lines: z.int().optional(),
  revision: z.int().optional(),
  changed: z.array(z.object({ row: z.int(), text: z.string() })).optional()
}

export const readOutputSchema = z.object(readOutput)
export type ReadAnswer = z.infer<typeof readOutputSchema>
export const dimensionsSchema = dimensions
export const rowAndColumnSchema = rowAndColumn
