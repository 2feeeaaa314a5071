import { appearanceChanged } from './appearance'

let isReported = false

/** Whether the desktop shell says that a screen reader or the like is running; a browser tells no page. */
export function isAssistiveTechnologyReported(): boolean {
  return isReported
}

export function reportAssistiveTechnology(isRunning: boolean): void {
  if (isReported === isRunning) return
  isReported = isRunning
  appearanceChanged()
}
