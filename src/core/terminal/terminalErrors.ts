import { AppError } from '../../shared/errors'
import { type ExitStatus, isUsableSize, SIZE_LIMITS, type Size, type TerminalId } from '../../shared/terminal'

export function processExited(exit: ExitStatus | null): AppError {
  const how = exit?.signal ? `signal ${exit.signal}` : `code ${exit?.exitCode ?? 'unknown'}`
  return new AppError('PROCESS_EXITED', `Process has exited with ${how}`, 'Open a new terminal, or close this one.')
}

export function sessionError(id: TerminalId, what: string): AppError {
  return new AppError('SESSION_ERROR', `Terminal "${id}" ${what}`, 'List the terminals to see its state.')
}

export function requireUsable(size: Size): void {
  if (isUsableSize(size)) return
  const { rows, cols } = size
  const { minRows, maxRows, minCols, maxCols } = SIZE_LIMITS
  throw new AppError(
    'INVALID_ARGUMENTS',
    `Size "${cols}x${rows}" cannot be used`,
    `Rows must be ${minRows} to ${maxRows}, columns ${minCols} to ${maxCols}.`
  )
}

export function humanHasControl(
  name: string | undefined,
  { since, isTaken = false }: { since: string | null; isTaken?: boolean }
): AppError {
  const who = name === undefined ? 'A person' : `"${name}"`
  const when = since === null ? '' : ` since ${since}`
  return new AppError(
    'HUMAN_HAS_CONTROL',
    `${who} has the keyboard of this terminal${when}`,
    isTaken
      ? 'Ask them to give the keyboard back, or use another terminal.'
      : 'Try again when they have not typed for 4 seconds, or use another terminal.'
  )
}

export function passwordPrompt(): AppError {
  return new AppError(
    'HUMAN_HAS_CONTROL',
    'The terminal waits for something that is typed without being shown, such as a password',
    'Only the person can answer it: ask them to type it in the terminal, then go on.'
  )
}
