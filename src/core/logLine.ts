import type { Settings } from '../shared/settings'
import type { Logger } from './log'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]

/** A logger that prints plain lines: the message first, so that a person and a script can both read it. */
export function createLineLog(level: () => Settings['log_level'], write: (own: Level, line: string) => void): Logger {
  const at = (own: Level) => (fields: object, message: string) => {
    if (LEVELS.indexOf(own) >= LEVELS.indexOf(level())) write(own, `${message}${details(fields)}`)
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
