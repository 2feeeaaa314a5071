import type { Logger } from '../core/log'
import { createLineLog } from '../core/logLine'
import type { Settings } from '../shared/settings'

/** Plain lines on stderr. */
export function createStderrLog(level: () => Settings['log_level'], write: (line: string) => void): Logger {
  return createLineLog(level, (own, line) => write(`${own === 'info' ? '' : `${own}: `}${line}\n`))
}
