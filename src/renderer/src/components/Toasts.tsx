import { createPortal } from 'react-dom'
import { useModals } from '../stores/modals'
import { dismissToast, type Toast, useToasts } from '../stores/toasts'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { Icon } from './Icon'

/** What failed and what to do about it; errors stay until dismissed. Over a dialog they are a part of it. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  const dialog = useModals(({ open }) => open.at(-1))
  const region = (
    <section className="toasts" aria-label={strings.toast.region} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
  return dialog ? createPortal(region, dialog) : region
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, message, hint, code, action } = toast
  const act = () => {
    dismissToast(id)
    action?.run()
  }
  return (
    <div className={code === undefined ? 'toast' : 'toast error'}>
      <div>
        <p className="message">{message}</p>
        {hint !== undefined && <p className="hint">{hint}</p>}
        {code !== undefined && <code className="code">{code}</code>}
        {(action !== undefined || code !== undefined) && (
          <p className="actions">
            {action && (
              <button type="button" className="button" onClick={act}>
                {action.label}
              </button>
            )}
            {code !== undefined && <CopyDetails toast={toast} />}
          </p>
        )}
      </div>
      <button
        type="button"
        className="iconButton"
        aria-label={strings.toast.dismiss}
        title={strings.toast.dismiss}
        onClick={() => dismissToast(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

function CopyDetails({ toast: { message, hint, code } }: { toast: Toast }) {
  const details = [`${code}: ${message}`, hint].filter(Boolean).join('\n')
  return (
    <button type="button" className="button quiet" onClick={() => void copyText(details)}>
      {strings.toast.copy}
    </button>
  )
}
