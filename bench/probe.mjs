// Loaded into the measured process with `--import`, so that the product itself carries nothing for the bench.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const actions = {
  watch: () => {
    delay.enable()
    delay.reset()
  },
  unwatch: () => {
    delay.disable()
    const past = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    return { p50: past(delay.percentile(50)), p99: past(delay.percentile(99)), max: past(delay.max) }
  },
  memory: () => {
    collectGarbage()
    return { rssBytes: process.memoryUsage.rss() }
  },
  resident: () => ({ rssBytes: process.memoryUsage.rss() }),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return { ms: (user + system) / 1000 }
  }
}

if (process.send) {
  process.on('message', ({ id, ask }) => process.send({ id, answer: actions[ask]() ?? {} }))
  process.channel.unref()
}
