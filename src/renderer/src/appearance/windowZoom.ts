import { SETTINGS } from '../../../shared/settings'
import { announce } from '../stores/announcer'
import { settingValues } from '../stores/settings'
import { strings } from '../strings'
import { appearanceChanged } from './appearance'

const STORED = 'tandem.zoom'
const { schema } = SETTINGS.font_size

/** The size of terminal text in this window: the setting, and how far this window was zoomed. */
export function zoomedFontSize(): number {
  return nearest(settingValues().font_size + steps())
}

/** Makes terminal text larger or smaller in this window alone; a reload keeps it, a new window starts afresh. */
export function zoomBy(change: number): void {
  store(nearest(zoomedFontSize() + change) - settingValues().font_size)
}

export function resetZoom(): void {
  store(0)
}

function store(offset: number): void {
  try {
    sessionStorage.setItem(STORED, String(offset))
  } catch {
    // Storage is switched off: the window cannot keep a zoom, the settings still work.
    return
  }
  appearanceChanged()
  announce(strings.fontSize(zoomedFontSize()))
}

function steps(): number {
  try {
    return Number(sessionStorage.getItem(STORED) ?? 0) || 0
  } catch {
    return 0
  }
}

function nearest(size: number): number {
  return Math.max(schema.minValue ?? size, Math.min(size, schema.maxValue ?? size))
}
