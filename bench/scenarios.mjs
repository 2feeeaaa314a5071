import { agentsRow } from './rows/agents.mjs'
import { attachRow } from './rows/attach.mjs'
import { createRow } from './rows/create.mjs'
import { floodedEcho, idleEcho } from './rows/echo.mjs'
import { eventLoopRow } from './rows/eventLoop.mjs'
import { growthRow } from './rows/growth.mjs'
import { loadRow } from './rows/load.mjs'
import { memoryRow } from './rows/memory.mjs'
import { ptyToolsRow } from './rows/ptyTools.mjs'
import { searchRow } from './rows/search.mjs'
import { serveStart } from './rows/start.mjs'
import { ptyThroughput, tmuxThroughput } from './rows/throughput.mjs'
import { windowIdle, windowLog, windowLogPty, windowStart } from './rows/window.mjs'

/** Everything the bench can measure, in the order in which it does. */
export const scenarios = [
  serveStart,
  tmuxThroughput,
  ptyThroughput,
  idleEcho,
  floodedEcho,
  createRow,
  attachRow,
  eventLoopRow,
  searchRow,
  ptyToolsRow,
  agentsRow,
  memoryRow,
  loadRow,
  growthRow,
  windowStart,
  windowLog,
  windowLogPty,
  windowIdle
]
