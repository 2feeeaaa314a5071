import { useState } from 'react'
import { titleWithKeys } from '../actions/keyPlace'
import { strings } from '../strings'
import { Icon } from './Icon'

/** The strip's plus; one press is one terminal, however long the host takes. */
export function NewTerminalButton({ add }: { add(): Promise<void> }) {
  const [adding, setAdding] = useState(false)
  const onClick = async () => {
    setAdding(true)
    await add()
    setAdding(false)
  }
  return (
    <button
      type="button"
      className="iconButton add"
      aria-label={strings.newTerminal}
      title={titleWithKeys('newTerminal')}
      disabled={adding}
      onClick={onClick}
    >
      <Icon name="plus" />
    </button>
  )
}
