import type { WorkspaceKey } from '../../../shared/terminal'
import { useEndedOffer } from '../hooks/useEndedOffer'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'

interface EndedOfferProps {
  workspace: WorkspaceKey
  onStarted(): void
}

/** More names than these are only counted. */
const MAX_NAMES = 3

/** One calm line about terminals that are gone although nobody closed them, as after a restart of the machine. */
export function EndedOffer({ workspace, onStarted }: EndedOfferProps) {
  const { terminals, isBusy, startAgain, forget } = useEndedOffer(workspace)
  if (terminals.length === 0) return null
  const names = terminals.map(({ name }) => displayText(name))
  const rebooted = terminals.every(({ reason }) => reason === 'host-rebooted')
  const text = rebooted ? strings.offer.rebooted : strings.offer.vanished
  const start = async () => {
    if ((await startAgain()) !== undefined) onStarted()
  }
  return (
    <section className="endedOffer" aria-label={strings.offer.label}>
      <Icon name="broken" />
      <p>
        {text(terminals.length)} <span title={names.join('\n')}>{shortList(names)}</span>
      </p>
      <span className="actions">
        <button type="button" className="button" disabled={isBusy} onClick={() => void start()}>
          {strings.offer.startAgain}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => void forget()}>
          {strings.offer.forget}
        </button>
      </span>
    </section>
  )
}

function shortList(names: readonly string[]): string {
  // One that is left over takes no more room than the words for it.
  if (names.length <= MAX_NAMES + 1) return names.join(', ')
  return strings.offer.andMore(names.slice(0, MAX_NAMES).join(', '), names.length - MAX_NAMES)
}
