import type { TerminalSession } from '../../../shared/terminal'
import { strings } from '../strings'
import { StateMark } from './StateMark'

interface EndLineProps {
  tab: TerminalSession
  onStartNew(): void
  onStartAgain(): void
  onClose(): void
}

/** Why a terminal no longer answers, in a line under its last screen, with what can be done about it. */
export function EndLine({ tab, onStartNew, onStartAgain, onClose }: EndLineProps) {
  if (tab.state === 'running') return null
  const isOver = tab.state === 'exited' || tab.state === 'lost'
  return (
    <div className={`endLine ${tab.state}`} role="status">
      <StateMark state={tab.state} />
      <p>
        <strong>{headline(tab)}</strong> {tab.state === 'exited' && strings.ended.readable}
      </p>
      {tab.state !== 'unknown' && (
        <span className="actions">
          <button type="button" className="button" onClick={isOver ? onStartAgain : onStartNew}>
            {isOver ? strings.ended.startAgain : strings.ended.startNew}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {strings.closeTerminal}
          </button>
        </span>
      )}
    </div>
  )
}

function headline({ state, exitCode }: TerminalSession): string {
  if (state === 'exited') return exitCode === null ? strings.ended.signal : strings.ended.code(exitCode)
  return state === 'running' ? '' : strings.ended[state]
}
