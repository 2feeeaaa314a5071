import type { Logger } from '../core/log'

/** Plain lines on stderr, as `tandem serve` writes them. */
export function createLog(): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    process.stderr.write(`${level}${message} ${JSON.stringify(fields, describeErrors)}\n`)
  }
  return { debug: () => undefined, info: at(''), warn: at('warn: '), error: at('error: ') }
}

function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value
}
