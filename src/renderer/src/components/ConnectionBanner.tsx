import { useEffect, useState } from 'react'
import type { Connection } from '../bridge/connection'
import { useConnection } from '../stores/connection'
import { strings } from '../strings'
import { Icon } from './Icon'

const text = strings.connection

/** Says that the line is down, when it is tried again, and that nothing is lost. Lies on nothing that can be read. */
export function ConnectionBanner({ onRetry }: { onRetry(): void }) {
  const connection = useConnection()
  const wasConnected = useWasConnected(connection)
  const seconds = useSecondsLeft(connection)
  if (connection.state === 'connected' || connection.state === 'signedOut') return null
  if (!wasConnected && connection.state === 'connecting') return null
  return (
    <div className="connectionBanner" role="alert">
      <Icon name="broken" />
      <p>
        <strong>{text.lost}</strong> · <span>{seconds > 0 ? text.retryIn(seconds) : text.retrying}</span>
        {'. '}
        {text.keepRunning(location.hostname)}
      </p>
      <button type="button" className="button" onClick={onRetry}>
        {text.retryNow}
      </button>
    </div>
  )
}

function useWasConnected({ state }: Connection): boolean {
  const [was, setWas] = useState(false)
  useEffect(() => {
    if (state === 'connected' || state === 'waiting') setWas(true)
  }, [state])
  return was
}

function useSecondsLeft(connection: Connection): number {
  const [now, setNow] = useState(Date.now)
  const waiting = connection.state === 'waiting'
  useEffect(() => {
    if (!waiting) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [waiting])
  return waiting ? Math.max(0, Math.ceil((connection.retryAt - now) / 1000)) : 0
}
