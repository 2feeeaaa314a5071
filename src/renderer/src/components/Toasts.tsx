import { dismissToast, type Toast, useToasts } from '../stores/toasts'
import { strings } from '../strings'
import { Icon } from './Icon'

/** What failed and what to do about it; each stays until dismissed. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <section className="toasts" aria-label={strings.toast.region} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast: { id, message, hint, code } }: { toast: Toast }) {
  return (
    <div className={code === undefined ? 'toast' : 'toast error'}>
      <div>
        <p className="message">{message}</p>
        {hint !== undefined && <p className="hint">{hint}</p>}
        {code !== undefined && <code className="code">{code}</code>}
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
