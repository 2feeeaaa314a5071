import { app } from 'electron'

/** Whether assistive programs ask for what windows show; where the system does not say so, they do not. */
export function screenReaderIsThere(): boolean {
  return app.accessibilitySupportEnabled === true
}

/** Tells when one is started or gone. */
export function followScreenReader(changed: (isThere: boolean) => void): void {
  app.on('accessibility-support-changed', (_event, isThere) => changed(isThere))
}
