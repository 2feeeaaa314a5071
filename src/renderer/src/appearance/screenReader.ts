import { appearanceChanged } from './appearance'

let isReported = false

/** Whether the desktop shell says that a screen reader or the like is running; a browser tells no page. */
export function isScreenReaderReported(): boolean {
  return isReported
}

export function reportScreenReader(isRunning: boolean): void {
  if (isReported === isRunning) return
  isReported = isRunning
  appearanceChanged()
}
