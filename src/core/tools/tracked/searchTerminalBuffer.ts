import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../shared/errors'
import { patterns } from '../../terminal/patterns'
import type { Terminal } from '../../terminal/terminal'
import { answerSchema, answerText } from '../answers'
import { defineTool, type ToolContext } from '../defineTool'
import { lookedAt } from '../lookingAt'
import { type Found, type Query, searchTerminal } from './bufferSearch'
import { inline, untrusted } from './responseFormat'
import { findTerminal } from './trackedTerminal'

/** Of a long line, what stands around the match. */
const MAX_TEXT_CHARACTERS = 400
const LEAD_CHARACTERS = 100
/** Of all matching lines together, so that an answer stays below 40,000 characters. */
const MAX_ANSWER_CHARACTERS = 24_000

const GONE: readonly ErrorCode[] = ['SESSION_NOT_FOUND', 'SESSION_DESTROYED', 'SESSION_ERROR']

const matchSchema = z.object({
  terminalId: z.string(),
  name: z.string(),
  line: z.number().describe('From 1, history included'),
  index: z.number().describe('Byte offset for read_terminal_output'),
  text: z.string()
})
type Match = z.infer<typeof matchSchema>

export const searchTerminalBuffer = defineTool({
  name: 'search_terminal_buffer',
  toolset: 'tracked',
  title: 'Search terminal buffers',
  description:
    'Find text in the history and screen of one terminal or all of them, newest line first. Cheaper than reading whole buffers; read on from a match with read_terminal_output since_index.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    query: z.string().min(1).max(1000),
    regex: z.boolean().default(false).describe('RE2 syntax'),
    case_sensitive: z.boolean().default(false),
    terminalId: z.string().optional().describe('Default all terminals'),
    max: z.int().min(1).max(1000).default(50)
  }),
  output: answerSchema({ matches: z.array(matchSchema), total: z.number(), omitted: z.number() }),

  async run({ query, regex, case_sensitive, terminalId, max }, context) {
    const wanted: Query = { query, isRegex: regex, isCaseSensitive: case_sensitive }
    if (regex) await patterns.check(query)
    const terminals = terminalId === undefined ? await visible(context) : [await findTerminal(terminalId, context)]
    const matches: Match[] = []
    let total = 0
    let room = MAX_ANSWER_CHARACTERS
    for (const terminal of terminals) {
      const found = await foundIn(terminal, wanted, context.signal)
      total += found.length
      if (found.length > 0) lookedAt(terminal, context)
      const name = context.workspaces.placeOf(terminal.id)?.name ?? ''
      for (const one of found.slice(0, Math.max(0, max - matches.length))) {
        const match = describe(terminal, name, one)
        room -= match.text.length
        if (room >= 0) matches.push(match)
      }
    }
    return { matches, total, omitted: total - matches.length }
  },

  text: ({ matches, total, omitted, warnings }) => {
    if (total === 0) return answerText(['No line matches.'], warnings)
    const lines = matches.map(
      ({ terminalId, name, line, index, text }) => `${inline(name)} ${terminalId} line ${line} @${index}: ${text}`
    )
    const found = total === 1 ? '1 line matches' : `${total} lines match`
    const count = omitted > 0 ? `${found}; ${omitted} are left out.` : `${found}.`
    return answerText([count, untrusted('terminals'), ...lines], warnings)
  }
})

/** Every terminal the caller may see that this host holds; those that printed last first. */
async function visible(context: ToolContext): Promise<Terminal[]> {
  const listed = await context.workspaces.listAll(context.caller.access)
  const held = listed.flatMap(({ id }) => heldTerminal(id, context) ?? [])
  return held.sort((one, other) => other.log.lastAppendMs - one.log.lastAppendMs)
}

async function foundIn(terminal: Terminal, query: Query, signal: AbortSignal): Promise<Found[]> {
  try {
    return await searchTerminal(terminal, query, signal)
  } catch (failure) {
    if (failure instanceof AppError && GONE.includes(failure.code)) return []
    throw failure
  }
}

function heldTerminal(id: string, { workspaces, caller }: ToolContext): Terminal | undefined {
  try {
    return workspaces.terminal(caller.access, id)
  } catch (failure) {
    // Listed, and only known by its record, or closed in this moment.
    if (failure instanceof AppError && GONE.includes(failure.code)) return undefined
    throw failure
  }
}

function describe({ id, log }: Terminal, name: string, { line, at }: Found): Match {
  const from = Math.max(0, Math.min(at - LEAD_CHARACTERS, line.text.length - MAX_TEXT_CHARACTERS))
  const shown = line.text.slice(from, from + MAX_TEXT_CHARACTERS).trimEnd()
  const text = `${from > 0 ? '…' : ''}${shown}${from + MAX_TEXT_CHARACTERS < line.text.length ? '…' : ''}`
  // What is no longer kept, or was printed before this host: reading goes on at the oldest byte there is.
  const index = Math.min(Math.max(line.offset ?? log.start, log.start), log.end)
  return { terminalId: id, name, line: line.row, index, text }
}
