import type { ScreenState } from './outputText'
import type { Readers } from './readers'
import { visibleSnapshot } from './snapshotWriter'
import type { Terminal } from './terminal'

/** The screen on which the byte at `offset` was or will be printed, where it can be known. */
export async function screenBefore(
  terminal: Terminal,
  offset: number,
  readers: Readers
): Promise<ScreenState | undefined> {
  const known = readers.stateAt(offset)
  if (known) return known
  if (offset < terminal.log.end) return undefined
  const now = await terminal.screen.inspect((emulator, at) => ({
    at,
    state: { size: emulator.size, bytes: visibleSnapshot(emulator) }
  }))
  return now.at === offset ? now.state : undefined
}
