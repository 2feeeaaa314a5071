import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { AppError } from '../../shared/errors'
import { quote } from './quote'

const LAST_RESORT_SHELL = '/bin/bash'

/** The shell a new terminal runs when nobody names a program. */
export function defaultShell(setting: string, environment: NodeJS.ProcessEnv): string {
  return setting || environment.SHELL || LAST_RESORT_SHELL
}

/** The absolute path of an existing executable, by path or by name on PATH, or PROGRAM_NOT_FOUND. */
export async function findProgram(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  for (const candidate of candidates(program, environment.PATH ?? '')) {
    if (await isExecutableFile(candidate)) return candidate
  }
  throw new AppError(
    'PROGRAM_NOT_FOUND',
    `Program not found: ${quote(program)}`,
    'Give the path of an executable file, or a name that is on PATH.'
  )
}

function candidates(program: string, searchPath: string): string[] {
  if (program === '' || program.includes('\0')) return []
  if (isAbsolute(program)) return [program]
  // A path relative to nobody knows where is not looked up.
  if (program.includes('/')) return []
  const directories = searchPath.split(':').filter((directory) => isAbsolute(directory))
  return directories.map((directory) => join(directory, program))
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return false
    throw failure
  }
}
