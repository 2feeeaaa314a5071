import { type RefObject, useEffect } from 'react'
import type { TerminalActivity } from '../../../shared/activity'
import type { TerminalSession } from '../../../shared/terminal'
import { identityOf } from '../agents/agentIdentity'
import { useActivity } from '../stores/activity'
import { useAgents } from '../stores/agents'
import { coalesced } from '../stores/coalesced'
import { useWantedCommand, wantCommand } from '../stores/wantedCommand'
import type { TerminalView } from '../terminal/terminalView'
import { useBridge } from './useBridge'

/** What changes when a command begins or ends. */
function progressOf(activity: TerminalActivity | undefined): string {
  return JSON.stringify([activity?.isWorking, activity?.lastExitCode, activity?.lastDurationMs])
}

/** Marks in the terminal's margin what was run there, while it is looked at. */
export function useCommandMarks(
  view: RefObject<TerminalView | undefined>,
  { id, tmuxSession }: TerminalSession,
  isShown: boolean
): void {
  const bridge = useBridge()
  useEffect(() => {
    if (!isShown) return
    const look = coalesced(async () => {
      const listed = await bridge.listCommands(tmuxSession)
      // Without an answer the marks stay as they are; the next command asks again.
      if (!listed.ok) return
      view.current?.commands.put(listed.value, (name) => identityOf(useAgents.getState().known, name))
      reveal()
    })
    const reveal = () => {
      const { wanted } = useWantedCommand.getState()
      if (wanted?.terminal === id && view.current?.commands.reveal(wanted.command)) wantCommand(undefined)
    }
    void look()
    const stops = [
      useWantedCommand.subscribe(reveal),
      bridge.on('historyChanged', () => void look()),
      useActivity.subscribe(({ byId: { [id]: now } }, { byId: { [id]: before } }) => {
        if (now !== before && progressOf(now) !== progressOf(before)) void look()
      })
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [bridge, view, id, tmuxSession, isShown])
}
