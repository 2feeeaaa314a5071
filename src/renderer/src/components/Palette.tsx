import { actionOf } from '../../../shared/actions'
import { shortcutText } from '../actions/keyPlace'
import { availableActions, runAction } from '../actions/registry'
import { useTerminalChoices } from '../hooks/useTerminalChoices'
import { closeOverlay } from '../stores/overlay'
import { strings } from '../strings'
import { Chooser } from './Chooser'

/** Every action that can be done now, with its keys, and every terminal to go to. */
export function Palette({ onTerminal }: { onTerminal(): void }) {
  const actions = availableActions()
    .filter((id) => id !== 'palette')
    .map((id) => {
      const { title, group } = actionOf(id)
      return { id, title, group, keys: shortcutText(id), choose: () => void runAction(id) }
    })
  const terminals = useTerminalChoices(onTerminal)?.map((choice) => ({ ...choice, group: strings.terminals }))
  return <Chooser {...strings.palette} choices={[...actions, ...(terminals ?? [])]} onClose={closeOverlay} />
}
