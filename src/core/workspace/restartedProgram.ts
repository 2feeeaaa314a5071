import { realpath } from 'node:fs/promises'
import { AppError, type Warning } from '../../shared/errors'
import { newProgram, type ProgramSurroundings } from './newProgram'
import { quote } from './quote'
import type { Predecessor } from './restarts'
import { codeOf } from './safeDirectory'
import type { Program } from './startTerminal'

/**
 * The program of a terminal that is started again. A directory that is gone is replaced by the project's, with a
 * warning; a program that is gone is PROGRAM_NOT_FOUND. What a foreign file names is not run: the shell is instead.
 */
export async function restartedProgram(
  predecessor: Predecessor,
  surroundings: ProgramSurroundings
): Promise<{ program: Program; warnings: Warning[] }> {
  const { isOurs, size } = predecessor
  const command = isOurs && predecessor.program !== '' ? ([predecessor.program] as const) : undefined
  const { cwd, warnings } = await directoryOf(predecessor, surroundings)
  const program = await newProgram({ command, cwd, size }, surroundings)
  const isAnother = predecessor.program !== '' && predecessor.program !== program.command[0]
  return { program, warnings: isAnother ? [...warnings, notRun(predecessor.program)] : warnings }
}

async function directoryOf(
  { cwd, isOurs }: Predecessor,
  { project, gate }: ProgramSurroundings
): Promise<{ cwd: string | undefined; warnings: Warning[] }> {
  if (cwd === '') return { cwd: undefined, warnings: [] }
  const real = await gate.run(cwd, () => realDirectory(cwd)).catch(orUndefined)
  if (real === undefined) return { cwd: undefined, warnings: [directoryGone(cwd, project)] }
  if (isOurs || `${real}/`.startsWith(`${project}/`)) return { cwd, warnings: [] }
  return { cwd: undefined, warnings: [directoryOutside(cwd, project)] }
}

async function realDirectory(path: string): Promise<string | undefined> {
  try {
    return await realpath(`${path}/.`)
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return undefined
  }
}

// A directory on a dead mount is as good as gone.
function orUndefined(failure: unknown): undefined {
  if (!(failure instanceof AppError)) throw failure
}

function directoryGone(cwd: string, project: string): Warning {
  return { code: 'NOT_FOUND', message: `${quote(cwd)} is gone: started in ${quote(project)} instead` }
}

function directoryOutside(cwd: string, project: string): Warning {
  const message = `${quote(cwd)} is outside the project and was not chosen here: started in ${quote(project)} instead`
  return { code: 'OUTSIDE_PROJECT', message }
}

function notRun(program: string): Warning {
  const message = `${quote(program)} came with the project's files and was not run: started the default shell instead`
  return { code: 'UNAUTHORIZED', message }
}
