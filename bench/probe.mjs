// Loaded into the measured process with `--import`, so that the product itself carries nothing for the bench.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

/**
 * The longest time between two turns of a timer in which this process used the processor. On a machine that others use
 * too, the delay alone does not tell whether the loop was held or the process was not let run.
 */
const held = { ms: 0, timer: undefined }

function watchHeld() {
  clearInterval(held.timer)
  held.ms = 0
  let [turn, used] = [performance.now(), usedMs()]
  held.timer = setInterval(() => {
    const [now, usedNow] = [performance.now(), usedMs()]
    held.ms = Math.max(held.ms, Math.min(now - turn, usedNow - used) - RESOLUTION_MS)
    turn = now
    used = usedNow
  }, RESOLUTION_MS)
  held.timer.unref()
}

function usedMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const actions = {
  watch: () => {
    delay.enable()
    delay.reset()
    watchHeld()
  },
  unwatch: () => {
    delay.disable()
    clearInterval(held.timer)
    const past = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    return { p50: past(delay.percentile(50)), p99: past(delay.percentile(99)), max: past(delay.max), held: held.ms }
  },
  memory: () => {
    collectGarbage()
    return { rssBytes: process.memoryUsage.rss() }
  },
  resident: () => ({ rssBytes: process.memoryUsage.rss() }),
  cpu: () => ({ ms: usedMs() })
}

if (process.send) {
  process.on('message', ({ id, ask }) => process.send({ id, answer: actions[ask]() ?? {} }))
  process.channel.unref()
}
