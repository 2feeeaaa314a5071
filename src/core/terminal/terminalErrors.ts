import { AppError } from '../../shared/errors'
import { type ExitStatus, SIZE_LIMITS, type Size, type TerminalId } from '../../shared/terminal'

export function processExited(exit: ExitStatus | null): AppError {
  const how = exit?.signal ? `signal ${exit.signal}` : `code ${exit?.exitCode ?? 'unknown'}`
  return new AppError('PROCESS_EXITED', `Process has exited with ${how}`, 'Open a new terminal, or close this one.')
}

export function sessionError(id: TerminalId, what: string): AppError {
  return new AppError('SESSION_ERROR', `Terminal "${id}" ${what}`, 'List the terminals to see its state.')
}

export function unusableSize({ rows, cols }: Size): AppError {
  const { minRows, maxRows, minCols, maxCols } = SIZE_LIMITS
  return new AppError(
    'INVALID_ARGUMENTS',
    `Size "${cols}x${rows}" cannot be used`,
    `Rows must be ${minRows} to ${maxRows}, columns ${minCols} to ${maxCols}.`
  )
}
