import { AppError } from '../../shared/errors'

/** The wished session name exists already: the caller picks a new random part, a session is never shared. */
export class DuplicateNameError extends AppError {
  constructor(name: string) {
    super('PTY_ERROR', `A session named "${name}" exists already`, 'Try again: a new name is picked each time.')
  }
}

export function isDuplicateName(thrown: unknown): boolean {
  return thrown instanceof DuplicateNameError
}
