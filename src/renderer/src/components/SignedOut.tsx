import { useState } from 'react'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { Icon } from './Icon'

const text = strings.signedOut

/** The host no longer knows this page: how to get back in, over the last screen. */
export function SignedOut({ onRetry }: { onRetry(): void }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (await copyText(text.command)) setCopied(true)
  }
  return (
    <div className="signedOut" role="alertdialog" aria-labelledby="signedOutTitle">
      <div className="card">
        <h2 id="signedOutTitle">{text.title}</h2>
        <p>{text.text}</p>
        <p>{text.step}</p>
        <p className="command">
          <code>{text.command}</code>
          <button type="button" className="iconButton" aria-label={text.copy} title={text.copy} onClick={copy}>
            <Icon name="copy" />
          </button>
          <span role="status">{copied && text.copied}</span>
        </p>
        <button type="button" className="button" onClick={onRetry}>
          {text.retry}
        </button>
      </div>
    </div>
  )
}
