import type { WorkspaceKey } from '../../../shared/terminal'
import { useEndedOffer } from '../hooks/useEndedOffer'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'

interface EndedOfferProps {
  workspace: WorkspaceKey
  onStarted(): void
}

/** One calm line about terminals that are gone although nobody closed them, as after a restart of the machine. */
export function EndedOffer({ workspace, onStarted }: EndedOfferProps) {
  const { terminals, isBusy, startAgain, forget } = useEndedOffer(workspace)
  if (terminals.length === 0) return null
  const names = terminals.map(({ name }) => displayText(name)).join(', ')
  const rebooted = terminals.every(({ reason }) => reason === 'host-rebooted')
  const text = rebooted ? strings.offer.rebooted : strings.offer.vanished
  const start = async () => {
    if ((await startAgain()) !== undefined) onStarted()
  }
  return (
    <section className="endedOffer" aria-label={strings.offer.label}>
      <Icon name="broken" />
      <p>
        {text(terminals.length)} <span title={names}>{names}</span>
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
