import type { HostNotice } from '../../../shared/ipc'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { showLasting } from './toasts'

/** What the host says about itself; with a command that helps it stays until it is read. */
export function showHostNotice({ text, command }: HostNotice): void {
  if (command === undefined) showLasting(text)
  else showLasting(text, { hint: command, action: { label: strings.copyCommand, run: () => void copyText(command) } })
}
