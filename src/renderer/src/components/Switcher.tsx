import { useTerminalChoices } from '../hooks/useTerminalChoices'
import { closeOverlay } from '../stores/overlay'
import { strings } from '../strings'
import { Chooser } from './Chooser'

/** Every terminal of every workspace, the ones of this workspace that were used last first. */
export function Switcher({ onChosen }: { onChosen(): void }) {
  const choices = useTerminalChoices(onChosen)
  const { loading, ...text } = strings.switcher
  return <Chooser {...text} nothing={choices ? text.nothing : loading} choices={choices ?? []} onClose={closeOverlay} />
}
