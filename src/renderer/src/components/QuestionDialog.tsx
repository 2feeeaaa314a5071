import { useEffect, useRef } from 'react'
import { type Question, useQuestion } from '../stores/questions'
import { strings } from '../strings'
import { Modal } from './Modal'

/** What the person is asked before something happens that cannot be taken back. */
export function QuestionDialog() {
  const asked = useQuestion((state) => state.asked)
  return asked ? <Asking key={asked.title} {...asked} /> : null
}

function Asking({ title, text, quote, confirm, answer }: Question & { answer(isConfirmed: boolean): void }) {
  const confirming = useRef<HTMLButtonElement>(null)
  useEffect(() => confirming.current?.focus(), [])
  return (
    <Modal label={title} className="question" onClose={() => answer(false)}>
      <h2>{title}</h2>
      <p>{text}</p>
      {quote !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0}>{quote}</pre>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={() => answer(false)}>
          {strings.form.cancel}
        </button>
        <button type="button" className="button primary" ref={confirming} onClick={() => answer(true)}>
          {confirm}
        </button>
      </div>
    </Modal>
  )
}
