import type { BrowserWindowConstructorOptions } from 'electron'

/** The page's first line, in which the lights of a window on macOS stand; the page leaves their room free. */
const BAR_HEIGHT = 38
const LIGHTS_HEIGHT = 14
const LIGHTS_LEFT = 14

/** On macOS the page's first line is the window's; elsewhere the system draws its own frame above it. */
export function frameOf(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  if (platform !== 'darwin') return {}
  return {
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: BAR_HEIGHT },
    trafficLightPosition: { x: LIGHTS_LEFT, y: (BAR_HEIGHT - LIGHTS_HEIGHT) / 2 }
  }
}
