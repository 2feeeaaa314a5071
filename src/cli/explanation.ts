import { AppError } from '../shared/errors'
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
