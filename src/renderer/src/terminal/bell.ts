import type { Terminal } from '@xterm/xterm'
import { settingValues } from '../stores/settings'

const FLASH_MS = 150
const TONE = { hertz: 660, seconds: 0.08, loudness: 0.06 }
// A program that rings without end is heard and seen a few times a second.
const REST_MS = 250

/** Rings as the person wants it. */
export function installBell(xterm: Terminal, element: HTMLElement): void {
  let rungAt = Number.NEGATIVE_INFINITY
  xterm.onBell(() => {
    const now = performance.now()
    if (now - rungAt < REST_MS) return
    rungAt = now
    const { bell } = settingValues()
    if (bell === 'visual') flash(element)
    if (bell === 'sound') void sound()
  })
}

function flash(element: HTMLElement): void {
  element.classList.add('ringing')
  setTimeout(() => element.classList.remove('ringing'), FLASH_MS)
}

async function sound(): Promise<void> {
  const context = new AudioContext()
  const tone = new OscillatorNode(context, { frequency: TONE.hertz })
  const volume = new GainNode(context, { gain: TONE.loudness })
  tone.connect(volume).connect(context.destination)
  tone.onended = () => void context.close()
  tone.start()
  tone.stop(context.currentTime + TONE.seconds)
}
