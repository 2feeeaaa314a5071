import { useEffect, useState } from 'react'
import { isFirstHint } from '../stores/remembered'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'

/** What browsers send before they would offer to install a page themselves. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>
}

/** How to install the page as an app, while the browser offers it; said once, then found in the palette. */
export function useInstallOffer(): (() => void) | undefined {
  const [offer, setOffer] = useState<InstallPromptEvent>()
  useEffect(() => {
    const offered = (event: Event) => {
      if (!isInstallPrompt(event)) return
      event.preventDefault()
      setOffer(event)
      if (isFirstHint('install')) showNotice(strings.installHint)
    }
    const installed = () => setOffer(undefined)
    window.addEventListener('beforeinstallprompt', offered)
    window.addEventListener('appinstalled', installed)
    return () => {
      window.removeEventListener('beforeinstallprompt', offered)
      window.removeEventListener('appinstalled', installed)
    }
  }, [])
  if (!offer) return undefined
  return () => {
    setOffer(undefined)
    void offer.prompt()
  }
}

function isInstallPrompt(event: Event): event is InstallPromptEvent {
  return 'prompt' in event
}
