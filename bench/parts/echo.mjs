import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../measure.mjs'

/** Reads keys without the system's help and sends each back, as an editor or a shell's own line does. */
export const ECHO_PROGRAM = `stty raw -echo; printf RE''ADY; exec cat`

const PAUSE_MS = 2

/** Presses keys one after the other, each when the last was echoed; how long the echoes took. */
export async function echoTimes({ press, echoed, isEnough }) {
  const times = []
  while (!isEnough(times.length)) {
    const began = performance.now()
    press()
    await echoed()
    times.push(performance.now() - began)
    await pause(PAUSE_MS)
  }
  return { p50: percentile(times, 50), p99: percentile(times, 99) }
}

/** The same through a viewer of Tandem. */
export function echoThrough(viewer, isEnough) {
  const press = () => viewer.type('k')
  const echoed = () => viewer.reached(expected++)
  let expected = viewer.offset + 1
  return echoTimes({ press, echoed, isEnough })
}

export async function startEcho(viewer) {
  viewer.type(`exec sh -c "${ECHO_PROGRAM}"\r`)
  await viewer.seen('READY')
}
