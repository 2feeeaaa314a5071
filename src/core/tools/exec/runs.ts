import type { Terminal } from '../../terminal/terminal'
import { SerialQueue } from '../../workspace/serialQueue'
import type { CommandRun } from './commandRun'

/** As many as a terminal keeps records of. */
const MAX_RUNS = 200

interface TerminalRuns {
  queue: SerialQueue
  byId: Map<string, CommandRun>
}

/** The commands that agents run in each terminal, for as long as the terminal is there. */
const runsByTerminal = new WeakMap<Terminal, TerminalRuns>()

function runsOf(terminal: Terminal): TerminalRuns {
  const known = runsByTerminal.get(terminal)
  if (known) return known
  const runs: TerminalRuns = { queue: new SerialQueue(), byId: new Map() }
  runsByTerminal.set(terminal, runs)
  return runs
}

/** Commands of one terminal begin one after the other: between typing and the shell's first word nobody else types. */
export function inTurn<T>(terminal: Terminal, begin: () => Promise<T>): Promise<T> {
  return runsOf(terminal).queue.run(begin)
}

export function remember(terminal: Terminal, run: CommandRun): void {
  const { byId } = runsOf(terminal)
  if (run.id === undefined) return
  byId.set(run.id, run)
  const [oldest] = byId
  if (byId.size <= MAX_RUNS || !oldest) return
  oldest[1].drop()
  byId.delete(oldest[0])
}

export function runOf(terminal: Terminal, id: string): CommandRun | undefined {
  return runsByTerminal.get(terminal)?.byId.get(id)
}

/** The agent's command that has not ended, where only we know of it. */
export function runningIn(terminal: Terminal): CommandRun | undefined {
  return [...(runsByTerminal.get(terminal)?.byId.values() ?? [])].find(({ isOver }) => !isOver)
}
