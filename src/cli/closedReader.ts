import { EXIT_CODES } from './exitCodes'
import { strings } from './strings'

/** Nobody reads on: `head` has what it wanted, or the terminal is gone. */
const GONE = new Set(['EPIPE', 'EIO'])

/**
 * A command whose answer nobody reads to its end has nothing more to do. Not for a host, which goes on without a
 * reader.
 */
export function endWithReader(): void {
  process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
    if (!GONE.has(failure.code ?? '')) process.stderr.write(`${strings.unexpected(failure.message)}\n`)
    process.exit(GONE.has(failure.code ?? '') ? EXIT_CODES.ok : EXIT_CODES.failed)
  })
  // There is nobody to tell, and the exit code still says how it went.
  process.stderr.on('error', () => undefined)
}
