import { useEffect, useState } from 'react'
import type { Result } from '../../../shared/errors'
import { useBridge } from '../hooks/useBridge'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { Icon } from './Icon'

const text = strings.connect.others

/** The two ways in for agents that cannot be connected in one step, to be copied. */
export function OtherAgents() {
  const bridge = useBridge()
  const [command, setCommand] = useState<Result<string>>()
  useEffect(() => void bridge.bridgeCommand().then(setCommand), [bridge])
  return (
    <section className="otherAgents" aria-label={text.title}>
      <h3>{text.title}</h3>
      {command?.ok && <CopyLine label={text.command} line={command.value} />}
      {command?.ok === false && (
        <p className="problem">{[command.error.message, command.error.hint].filter(Boolean).join('. ')}</p>
      )}
      <CopyLine label={text.address} line={`${location.origin}/mcp`} />
      <p className="note">
        {text.token} <code>{text.tokenCommand}</code>
      </p>
    </section>
  )
}

function CopyLine({ label, line }: { label: string; line: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => setIsCopied(await copyText(line))
  return (
    <>
      <p>{label}</p>
      <p className="copyLine">
        <code>{line}</code>
        <span role="status">{isCopied && text.copied}</span>
        <button
          type="button"
          className="iconButton"
          aria-label={text.copy(label)}
          title={strings.connect.copy}
          onClick={copy}
        >
          <Icon name="copy" />
        </button>
      </p>
    </>
  )
}
