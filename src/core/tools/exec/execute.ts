import type { Agent } from '../../../shared/terminal'
import type { Terminal } from '../../terminal/terminal'
import { CommandRun } from './commandRun'
import { FIRST_PROMPT_MS, MAX_WAIT_MS } from './limits'
import { type Busy, terminalBusy, type Way, wayInto } from './readiness'
import { inTurn, remember } from './runs'
import { typeIntegrated, typePlain } from './typeCommand'
import { typeMarked } from './typeMarked'

export interface ExecuteRequest {
  terminal: Terminal
  agent: Agent
  command: string
  env: Readonly<Record<string, string>>
  timeoutMs: number
  queue: boolean
  maxCharacters: number
  promptPattern: string
  signal: AbortSignal
  /** Puts a text into a file that the shell can read; returns its path. */
  script(text: string, extension: string): Promise<string>
}

export interface Executed {
  run: CommandRun
  way: Way
  /** When the caller wants its answer. */
  deadlineMs: number
}

/** Bytes kept of a command's output: four for every character that may be asked for, and room for colours. */
const BYTES_PER_CHARACTER = 4
const SPARE_BYTES = 65_536

/** Types a command once the terminal is free for it; resolves when the shell has begun with it, or is done already. */
export async function execute(request: ExecuteRequest): Promise<Executed> {
  const { terminal, timeoutMs } = request
  const calledMs = performance.now()
  for (;;) {
    const begun = await inTurn(terminal, () => begin(request))
    const nowMs = performance.now()
    if ('run' in begun) return { ...begun, deadlineMs: Math.min(nowMs + timeoutMs, calledMs + MAX_WAIT_MS) }
    const leftMs = calledMs + patienceMs(request, begun) - nowMs
    if (leftMs <= 0 || request.signal.aborted) throw terminalBusy(begun)
    await somethingChanged(terminal, { ms: leftMs, signal: request.signal })
  }
}

// A shell that is just starting is always waited for, others only when asked to.
function patienceMs({ timeoutMs, queue }: ExecuteRequest, { isStarting }: Busy): number {
  return Math.max(isStarting ? FIRST_PROMPT_MS : 0, queue ? Math.min(timeoutMs, MAX_WAIT_MS) : 0)
}

async function begin(request: ExecuteRequest): Promise<{ run: CommandRun; way: Way } | Busy> {
  const { terminal, maxCharacters, promptPattern } = request
  terminal.control.requireFree()
  const way = await wayInto(terminal, promptPattern)
  if (typeof way !== 'string') return way
  const keepBytes = maxCharacters * BYTES_PER_CHARACTER + SPARE_BYTES
  const run = new CommandRun(terminal, { keepBytes, endsWithRecord: way !== 'integrated' })
  try {
    await TYPE[way](request, run)
  } catch (failure) {
    run.drop()
    throw failure
  }
  remember(terminal, run)
  return { run, way }
}

const TYPE: Record<Way, (request: ExecuteRequest, run: CommandRun) => Promise<void>> = {
  integrated: typeIntegrated,
  marked: typeMarked,
  typed: typePlain
}

function somethingChanged(terminal: Terminal, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stops = [terminal.shell.onChange(done), terminal.onChange(done), terminal.commands.onEnd(done)]
    signal.addEventListener('abort', done)
  })
}
