import { join } from 'node:path'
import { dialog } from 'electron'
import { readPrivateFile, writePrivateFile } from '../core/data/privateFile'
import type { Terminal } from '../core/terminal/terminal'
import { strings } from './strings'

const FILE = 'told-that-terminals-go-on'

/** What the person should know when the last window closes; undefined when there is nothing to say. */
export type Farewell = { kind: 'goesOn'; count: number } | { kind: 'ends'; count: number }

/** Programs in this process end with it, and that is asked about each time; those in tmux go on, and that is said once. */
export function farewellFor(terminals: readonly Terminal[], hasBeenTold: boolean): Farewell | undefined {
  const running = terminals.filter(({ state }) => state === 'running')
  const ending = running.filter(({ backendKind }) => backendKind === 'pty')
  if (ending.length > 0) return { kind: 'ends', count: ending.length }
  return running.length > 0 && !hasBeenTold ? { kind: 'goesOn', count: running.length } : undefined
}

/** True when the app may close. */
export async function sayFarewell(terminals: readonly Terminal[], folder: string): Promise<boolean> {
  const path = join(folder, FILE)
  const farewell = farewellFor(terminals, readPrivateFile(path) !== undefined)
  if (!farewell) return true
  if (farewell.kind === 'goesOn') {
    writePrivateFile(path, '')
    await dialog.showMessageBox({ type: 'info', message: strings.goesOn(farewell.count), detail: strings.goesOnDetail })
    return true
  }
  const { quit, stay } = strings.buttons
  const message = strings.ends(farewell.count)
  const choices = { buttons: [quit, stay], defaultId: 1, cancelId: 1 }
  const { response } = await dialog.showMessageBox({ type: 'warning', message, detail: strings.endsDetail, ...choices })
  return response === 0
}
