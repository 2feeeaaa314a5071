import { AppError } from '../../../shared/errors'
import { quote } from '../../workspace/quote'

export function execIncomplete(command: string): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `incomplete command: the shell waits for the rest of ${quote(command)}`,
    'Close every quote, bracket, block and here-document. It was cancelled; the terminal is at its prompt.'
  )
}

/** In a shell that tells nothing about itself it is not known why. */
export function notBegun(command: string): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `incomplete command, or one that this shell does not understand: it did not begin with ${quote(command)}`,
    'Close every quote, bracket, block and here-document; shells without our marks must understand POSIX. It was cancelled.'
  )
}

export function noStart(command: string): AppError {
  return new AppError(
    'SESSION_ERROR',
    `The shell did not say that it began with ${quote(command)}`,
    'Look at the terminal with read_terminal_output; open a new one if it does not answer.'
  )
}

export function unusableCommand(why: string): AppError {
  return new AppError('INVALID_ARGUMENTS', `command ${why}`, 'Put the text into a file and run that.')
}

export function blankCommand(): AppError {
  return new AppError('INVALID_ARGUMENTS', 'command is blank', 'Pass a command; "true" does nothing and succeeds.')
}

export function unusableVariable(name: string): AppError {
  const message = `env: ${quote(name)} cannot be a variable of a shell`
  return new AppError('INVALID_ARGUMENTS', message, 'Names have letters, digits and _; values have no NUL.')
}
