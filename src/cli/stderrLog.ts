import type { Logger } from '../core/log'
import type { Settings } from '../shared/settings'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

/** Plain lines on stderr: the message first, so that a person and a script can both read it. */
export function createStderrLog(level: () => Settings['log_level'], write: (line: string) => void): Logger {
  const at = (own: Level) => (fields: object, message: string) => {
    if (LEVELS.indexOf(own) < LEVELS.indexOf(level())) return
    write(`${own === 'info' ? '' : `${own}: `}${message}${details(fields)}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function details(fields: object): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${printable(value)}`)
  return parts.length > 0 ? ` (${parts.join(' ')})` : ''
}

function printable(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.stack ?? value.message)
  return typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)
}
