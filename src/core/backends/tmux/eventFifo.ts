import { rmSync } from 'node:fs'
import type { SmallPrograms } from '../smallPrograms'
import { type Fifo, openFifo } from './fifo'

export interface HostEvents {
  /** A program ended; which one, the next look at all panes says. */
  died(): void
  relay(fifoPath: string, pid: number): void
}

/** Where small processes started by tmux tell this host something, without ever waiting for it. */
export async function openEventFifo(path: string, programs: SmallPrograms, events: HostEvents): Promise<Fifo> {
  let rest = ''
  // A try that failed half-way may have left it.
  rmSync(path, { force: true })
  await programs.run({ fifos: [path] })
  return openFifo(path, (bytes) => {
    const lines = (rest + bytes.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) tell(line, events)
  })
}

function tell(line: string, events: HostEvents): void {
  const [word, path, pid] = line.split(' ')
  if (word === 'died') events.died()
  if (word === 'relay' && path !== undefined && /^\d+$/.test(pid ?? '')) events.relay(path, Number(pid))
}

/** The shell command that reports a death: opened for both directions it cannot block when the host is gone. */
export function diedCommand(path: string): string {
  return `[ -p ${path} ] && echo died 1<>${path}`
}
