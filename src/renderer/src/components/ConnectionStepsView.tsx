import type { ConnectionSteps } from '../../../shared/agents'
import { strings } from '../strings'

const text = strings.connect

interface ConnectionStepsProps {
  steps: ConnectionSteps
  onRun(): void
}

/** Exactly what will be run or changed, and the button that does it. */
export function ConnectionStepsView({ steps: { command, path, lines = [], warnings }, onRun }: ConnectionStepsProps) {
  return (
    <div className="steps">
      <p>{path === undefined ? text.willRun : text.willChange(path)}</p>
      <pre>{command ?? lines.join('\n')}</pre>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <button type="button" className="button primary" onClick={onRun}>
        {text.run}
      </button>
    </div>
  )
}
