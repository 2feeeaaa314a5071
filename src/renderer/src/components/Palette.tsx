import { actionOf } from '../../../shared/actions'
import { shortcutText } from '../actions/keyPlace'
import { availableActions, runAction } from '../actions/registry'
import { closeOverlay } from '../stores/overlay'
import { strings } from '../strings'
import { Chooser } from './Chooser'

/** Every action that can be done now, with its keys. */
export function Palette() {
  const choices = availableActions()
    .filter((id) => id !== 'palette')
    .map((id) => {
      const { title, group } = actionOf(id)
      return { id, title, group, keys: shortcutText(id), choose: () => void runAction(id) }
    })
  return <Chooser {...strings.palette} choices={choices} onClose={closeOverlay} />
}
