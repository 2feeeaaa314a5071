import { create } from 'zustand'
import type { TerminalId } from '../../../shared/terminal'

/** A command that the person wants to see where it was typed. */
export interface WantedCommand {
  terminal: TerminalId
  command: string
}

/** The one that waits to be shown, at most one. */
export const useWantedCommand = create<{ wanted: WantedCommand | undefined }>(() => ({ wanted: undefined }))

export function wantCommand(wanted: WantedCommand | undefined): void {
  useWantedCommand.setState({ wanted })
}
