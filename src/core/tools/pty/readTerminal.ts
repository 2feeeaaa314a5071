import type { Terminal } from '../../terminal/terminal'
import { promptNow } from '../../terminal/waits/promptWatch'
import { type Fired, type InputMoment, waitFor } from '../../terminal/waits/waitFor'
import type { ToolContext } from '../defineTool'
import { readNew } from './readNew'
import { DEFAULT_WAIT_MS, MAX_WAIT_MS, type ReadAnswer, type ReadArguments } from './readSchema'
import { readScreen } from './readScreen'
import { readScrollback } from './readScrollback'
import { readersOf } from './terminalOf'

const SETTLED_MS = 500

/** What one view contributes to the answer. */
export type ViewAnswer = Pick<ReadAnswer, 'content' | 'lines' | 'cursor' | 'omitted' | 'alternate_screen'> &
  Partial<ReadAnswer>

/** Waits as asked, then reads. After an input only what it brought about ends the wait. */
export async function readTerminal(
  terminal: Terminal,
  args: ReadArguments,
  { context, after }: { context: ToolContext; after?: InputMoment | undefined }
): Promise<ReadAnswer> {
  const fired = await waitAsAsked(terminal, args, { context, after })
  const reader = context.caller.key
  const hasNew = terminal.log.end > (readersOf(terminal).mark(reader) ?? 0)
  const view = await readView(terminal, args, reader)
  const [source, needsPerson] = await Promise.all([
    promptNow(terminal, context.settings().prompt_pattern),
    terminal.needsPerson()
  ])
  const isOver = terminal.state === 'exited' || terminal.state === 'lost'
  return {
    dimensions: terminal.size,
    has_new_content: hasNew,
    prompt_detected: source !== undefined,
    prompt_source: source ?? null,
    idle: fired === 'idle',
    fired,
    timed_out: fired === 'timeout',
    exited: isOver,
    exit_code: terminal.exit?.exitCode ?? null,
    signal: terminal.exit?.signal ?? null,
    needs_person: needsPerson,
    ...view
  }
}

async function waitAsAsked(
  terminal: Terminal,
  args: ReadArguments,
  { context, after }: { context: ToolContext; after?: InputMoment | undefined }
): Promise<Fired | null> {
  const settledMs = settledOf(args)
  const hasCondition =
    args.wait_for_prompt || args.wait_for !== undefined || args.wait_idle_ms > 0 || settledMs > 0 || args.wait_for_exit
  const timeoutMs = Math.min(args.timeout_ms ?? (hasCondition ? DEFAULT_WAIT_MS : 0), MAX_WAIT_MS)
  if (timeoutMs === 0 && !hasCondition) return null
  const readers = readersOf(terminal)
  const mark = args.cursor ?? readers.mark(context.caller.key) ?? terminal.log.start
  const looksAtScreen = after === undefined && args.view !== 'new' && args.wait_for !== undefined
  const shownText = looksAtScreen ? (await shown(terminal)).join('\n') : undefined
  const request = {
    timeoutMs,
    idleMs: args.wait_idle_ms,
    settledMs,
    forPrompt: args.wait_for_prompt,
    pattern: args.wait_for,
    from: after?.offset ?? (looksAtScreen ? terminal.log.end : mark),
    shownText,
    promptPattern: context.settings().prompt_pattern,
    readers,
    after
  }
  return waitFor(terminal, request, context.signal)
}

async function shown(terminal: Terminal): Promise<string[]> {
  await terminal.screen.caughtUp()
  return terminal.screen.text()
}

function settledOf({ wait_settled, wait_idle_ms }: ReadArguments): number {
  if (wait_settled === true) return wait_idle_ms || SETTLED_MS
  return wait_settled || 0
}

function readView(terminal: Terminal, args: ReadArguments, reader: string): Promise<ViewAnswer> {
  if (args.view === 'screen') return readScreen(terminal, args)
  if (args.view === 'scrollback') return readScrollback(terminal, args)
  return readNew(terminal, args, reader)
}
