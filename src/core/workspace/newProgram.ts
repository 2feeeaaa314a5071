import { realpath, stat } from 'node:fs/promises'
import { AppError } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import { isUsableSize, type Size } from '../../shared/terminal'
import { defaultShell, findProgram } from './findProgram'
import { absolutePath } from './paths'
import { programEnvironment } from './programEnvironment'
import type { ProjectGate } from './projectGate'
import { quote } from './quote'
import { codeOf } from './safeDirectory'
import type { Program } from './startTerminal'

/** What a caller may say about the program of a new terminal; everything has a default. */
export interface ProgramRequest {
  cwd?: string | undefined
  command?: readonly [string, ...string[]] | undefined
  env?: Readonly<Record<string, string>> | undefined
  size?: Size | undefined
  /** Refuse a `cwd` that is, after all symbolic links, not in the project. */
  insideProject?: boolean | undefined
}

export interface ProgramSurroundings {
  /** The project's real path: where programs start. */
  project: string
  settings: Settings
  environment: NodeJS.ProcessEnv
  gate: ProjectGate
}

/** A request made whole and checked: an executable that exists, a directory that exists, a filtered environment. */
export async function newProgram(request: ProgramRequest, surroundings: ProgramSurroundings): Promise<Program> {
  const { settings, environment, project, gate } = surroundings
  const size = request.size ?? { rows: settings.default_rows, cols: settings.default_cols }
  if (!isUsableSize(size)) throw badSize(size)
  const env = programEnvironment({ host: environment, settings, requested: request.env })
  const [program, ...programArguments] = request.command ?? [defaultShell(settings.default_shell, environment)]
  const cwd = request.cwd === undefined ? project : await existingDirectory(request.cwd, gate)
  if (request.insideProject) await requireInside(cwd, surroundings)
  return { command: [await findProgram(program, env), ...programArguments], cwd, env: { PWD: cwd, ...env }, size }
}

/** The directory, tidied, or INVALID_ARGUMENTS when there is none. */
export async function existingDirectory(cwd: string, gate: ProjectGate): Promise<string> {
  const path = absolutePath('cwd', cwd)
  const isDirectory = await gate.run(path, async () => {
    try {
      return (await stat(await realpath(path))).isDirectory()
    } catch (failure) {
      if (codeOf(failure) === undefined) throw failure
      return false
    }
  })
  if (isDirectory) return path
  throw noSuchDirectory(cwd)
}

export function noSuchDirectory(cwd: string): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `cwd ${quote(cwd)} is not an existing directory`,
    'Give an existing directory.'
  )
}

async function requireInside(cwd: string, { project, gate }: ProgramSurroundings): Promise<void> {
  const real = await gate.run(cwd, () => realpath(cwd))
  if (isInside(real, project)) return
  const hint = 'Give a directory of the project, or name the project it belongs to.'
  throw new AppError('OUTSIDE_PROJECT', `cwd ${quote(cwd)} is outside the project ${quote(project)}`, hint)
}

/** Whether a real path is the project's or lies below it. */
function isInside(real: string, project: string): boolean {
  return project === '/' || `${real}/`.startsWith(`${project}/`)
}

function badSize({ rows, cols }: Size): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `size "${rows}x${cols}" cannot be used`,
    'Rows are whole numbers from 1 to 500, columns from 2 to 1000.'
  )
}
