import { AppError } from '../shared/errors'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { strings } from './strings'

/** A coded failure says itself what to do next; anything else is a fault of ours. */
export function explanation(failure: unknown): string {
  if (failure instanceof CommandFailed) return failure.message
  if (failure instanceof AppError && failure.code !== 'INTERNAL') {
    return [failure.message, failure.hint].filter(Boolean).join('. ')
  }
  return strings.unexpected(failure instanceof Error ? failure.message : String(failure))
}

/** What a script is told by: words that cannot be right are told apart from what could not be done. */
export function exitCodeOf(failure: unknown): number {
  if (failure instanceof CommandFailed) return failure.exitCode
  return failure instanceof AppError && failure.code === 'INVALID_ARGUMENTS' ? EXIT_CODES.usage : EXIT_CODES.failed
}
