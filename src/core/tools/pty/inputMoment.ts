import { visibleSnapshot } from '../../terminal/snapshotWriter'
import type { Terminal } from '../../terminal/terminal'
import type { InputMoment } from '../../terminal/waits/waitFor'
import { readersOf } from './terminalOf'

const PASTE_END = '\x1b[201~'

/** What is so before an input; where a pattern will be looked for, the screen it starts from too. */
export async function inputMoment(
  terminal: Terminal,
  bytes: Buffer,
  pattern: string | undefined
): Promise<InputMoment> {
  const { shell } = terminal
  const isOneCommand = shell.state === 'prompt' && enters(bytes) <= 1
  const { prompts, runs } = shell
  if (pattern === undefined) return { offset: terminal.log.end, prompts, runs, isOneCommand }
  const { offset, state } = await terminal.screen.inspect((emulator, at) => ({
    offset: at,
    state: { size: emulator.size, bytes: visibleSnapshot(emulator) }
  }))
  readersOf(terminal).remember(offset, state)
  return { offset, prompts, runs, isOneCommand }
}

/** How often Enter is pressed; inside a paste it is not. */
function enters(bytes: Buffer): number {
  const pasted = bytes.lastIndexOf(PASTE_END)
  const typed = pasted === -1 ? bytes : bytes.subarray(pasted)
  return typed.reduce((count, byte) => count + (byte === 0x0a || byte === 0x0d ? 1 : 0), 0)
}
