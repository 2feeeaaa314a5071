import type { TerminalSession } from '../../../shared/terminal'
import { clock } from '../agents/historyText'
import { durationText } from '../durationText'
import { useActivity } from '../stores/activity'
import { strings } from '../strings'
import { StateMark } from './StateMark'

const text = strings.ended

interface EndLineProps {
  tab: TerminalSession
  onStartNew(): void
  onStartAgain(): void
  onClose(): void
  onCopy(): void
  /** What it printed is to be read as text. */
  onRead(): void
}

/** Why a terminal no longer answers, in a line under its last screen, with what can be done about it. */
export function EndLine({ tab, onStartNew, onStartAgain, onClose, onCopy, onRead }: EndLineProps) {
  if (tab.state === 'running') return null
  const isOver = tab.state === 'exited' || tab.state === 'lost'
  return (
    <div className={`endLine ${tab.state}`} role="status">
      <StateMark mark={tab.state} />
      <p>{tab.state === 'exited' ? <ExitFacts tab={tab} /> : <strong>{text[tab.state]}</strong>}</p>
      {isOver && <span className="hint">{text.enterHint}</span>}
      {tab.state !== 'unknown' && (
        <span className="actions">
          <button type="button" className="button" onClick={isOver ? onStartAgain : onStartNew}>
            {isOver ? text.startAgain : text.startNew}
          </button>
          {tab.state === 'lost' && (
            <button type="button" className="button" onClick={onRead}>
              {text.showLog}
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            {text.close}
          </button>
          <button type="button" className="button" onClick={onCopy}>
            {text.copy}
          </button>
        </span>
      )}
    </div>
  )
}

function ExitFacts({ tab }: { tab: TerminalSession }) {
  const startedAt = useActivity(({ byId }) => byId[tab.id]?.startedAt)
  const endedAt = useActivity(({ byId }) => byId[tab.id]?.endedAt)
  const how = tab.exitCode === null ? text.signal : text.code(tab.exitCode)
  if (!endedAt) return <strong>{how}</strong>
  const end = new Date(endedAt)
  const lastedMs = startedAt ? end.getTime() - Date.parse(startedAt) : 0
  return (
    <>
      <strong>{lastedMs > 0 ? text.after(how, durationText(lastedMs)) : how}</strong>
      {' · '}
      <time dateTime={endedAt} title={end.toLocaleString()}>
        {clock(endedAt)}
      </time>
    </>
  )
}
