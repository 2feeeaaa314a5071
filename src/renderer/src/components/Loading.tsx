import { strings } from '../strings'

interface LoadingProps {
  text: string
  /** Where it is known how much there is to wait for. */
  progress?: { total: number; ready: number }
}

/** What is awaited, in words; shown only when it takes long enough to be noticed. */
export function Loading({ text, progress }: LoadingProps) {
  return (
    <div className="loading" role="status">
      <p>{text}</p>
      {progress ? <Progress {...progress} /> : <span className="bar passing" aria-hidden="true" />}
    </div>
  )
}

function Progress({ total, ready }: { total: number; ready: number }) {
  return (
    <p className="progress">
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${(ready / total) * 100}%` }} />
      </span>
      {strings.restored(ready, total)}
    </p>
  )
}
