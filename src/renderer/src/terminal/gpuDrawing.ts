import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { settingValues } from '../stores/settings'
import { isScreenReaderMode } from './terminalTheme'

// Browsers allow about sixteen per page and then take them away from the oldest; half leaves room for other pages.
const MAX_DRAWING = 8
// Some browsers count these as good.
const PLAYED_BY_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render/i
const drawing = new Set<GpuDrawing>()
let isFast: boolean | undefined

/**
 * Draws one terminal by the graphics card while it is visible. Where there is none, or it lets go, or a screen reader
 * must find the text, the emulator draws with page elements, as it does by itself.
 */
export class GpuDrawing {
  readonly #xterm: Terminal
  readonly #element: HTMLElement
  #addon: WebglAddon | undefined
  #wasLost = false

  constructor(xterm: Terminal, element: HTMLElement) {
    this.#xterm = xterm
    this.#element = element
  }

  update({ visible }: { visible: boolean }): void {
    // A terminal that comes back into sight may try again.
    if (!visible) this.#wasLost = false
    if (!visible || this.#wasLost || !isWanted()) this.stop()
    else if (!this.#addon && drawing.size < MAX_DRAWING) this.#start()
  }

  stop(): void {
    this.#addon?.dispose()
    this.#addon = undefined
    drawing.delete(this)
    this.#element.dataset.renderer = 'dom'
  }

  redraw(): void {
    this.#addon?.clearTextureAtlas()
  }

  #start(): void {
    try {
      const addon = new WebglAddon()
      addon.onContextLoss(() => {
        this.#wasLost = true
        this.stop()
      })
      this.#xterm.loadAddon(addon)
      this.#addon = addon
      drawing.add(this)
      this.#element.dataset.renderer = 'gpu'
    } catch {
      // No graphics card after all: the page elements are still there.
      this.#wasLost = true
      this.stop()
    }
  }
}

// Glyphs of a font that was loaded meanwhile are drawn anew.
document.fonts.addEventListener('loadingdone', () => {
  for (const one of drawing) one.redraw()
})

function isWanted(): boolean {
  const { renderer } = settingValues()
  if (renderer === 'dom' || isScreenReaderMode()) return false
  return renderer === 'gpu' || hasFastGraphics()
}

/** Drawing by a graphics card that the processor plays is slower than drawing page elements. */
function hasFastGraphics(): boolean {
  if (isFast !== undefined) return isFast
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  const named = context?.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context?.RENDERER
  const drawer = named === undefined ? '' : String(context?.getParameter(named))
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  isFast = context !== null && !PLAYED_BY_PROCESSOR.test(drawer)
  return isFast
}
