import type { Terminal } from '@xterm/xterm'
import { installBell } from './bell'
import { installDrop } from './droppedFiles'
import { KeyboardModes } from './keyboardModes'
import { installProgramClipboard } from './programClipboard'
import { installSelection } from './selection'
import { installTerminalKeys } from './terminalKeys'
import { installTerminalMenu } from './terminalMenu'

/** Everything a person's hands can do with an open terminal besides typing. */
export function installBehaviour(xterm: Terminal, element: HTMLElement): () => void {
  installTerminalKeys(xterm, new KeyboardModes(xterm.parser))
  installProgramClipboard(xterm, element)
  installBell(xterm, element)
  const undo = [installSelection, installDrop, installTerminalMenu].map((install) => install(xterm, element))
  return () => {
    for (const one of undo) one()
  }
}
