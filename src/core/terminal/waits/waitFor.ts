import type { Readers } from '../readers'
import type { Terminal } from '../terminal'
import { watchMatch } from './matchWatch'
import { watchPrompt } from './promptWatch'
import { watchSettled } from './settledWatch'
import type { Watching } from './watching'

export type Fired = 'prompt' | 'idle' | 'match' | 'exit' | 'timeout'

/** What was so just before an input: only what happens after it counts. */
export interface InputMoment {
  /** End of the output then. */
  offset: number
  /** Prompts that the shell had drawn, and commands that it had begun. */
  prompts: number
  runs: number
  /** The shell waited for a command, and the input is at most one. */
  isOneCommand: boolean
}

export interface WaitRequest {
  timeoutMs: number
  /** 0: not a condition. */
  idleMs: number
  /** 0: not a condition. */
  settledMs: number
  forPrompt: boolean
  pattern: string | undefined
  /** Where the text begins that the pattern is looked for in. */
  from: number
  /** Looked through before anything happens. */
  shownText?: string | undefined
  promptPattern: string
  readers: Readers
  after?: InputMoment | undefined
}

/** Waits until the first of the conditions holds, the program ends or the time is over. Nothing is polled. */
export async function waitFor(terminal: Terminal, request: WaitRequest, signal: AbortSignal): Promise<Fired> {
  const closers: (() => void)[] = []
  try {
    return await new Promise<Fired>((resolve, reject) => {
      const watching: Watching = { terminal, fire: resolve, fail: reject, onClose: (close) => closers.push(close) }
      watchTime(watching, request.timeoutMs, signal)
      watchEnd(watching)
      if (request.idleMs > 0) watchIdle(watching, request.idleMs)
      if (request.settledMs > 0) watchSettled(watching, request.settledMs)
      if (request.forPrompt) watchPrompt(watching, request)
      if (request.pattern !== undefined) watchMatch(watching, request.pattern, request)
    })
  } finally {
    for (const close of closers) close()
  }
}

/** A caller who gave up is not waited for. */
function watchTime({ fire, onClose }: Watching, timeoutMs: number, signal: AbortSignal): void {
  const end = () => fire('timeout')
  const timer = setTimeout(end, timeoutMs)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  onClose(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  })
}

function watchEnd({ terminal, fire, onClose }: Watching): void {
  const look = () => {
    if (terminal.state === 'exited' || terminal.state === 'lost') fire('exit')
  }
  onClose(terminal.onChange(look))
  look()
}

/** Silence is counted from here on: what was sent a moment ago may still be on its way to the program. */
function watchIdle({ terminal, fire, onClose }: Watching, idleMs: number): void {
  const timer = setTimeout(() => fire('idle'), idleMs)
  onClose(() => clearTimeout(timer))
  onClose(terminal.onOutput(() => timer.refresh()))
}
