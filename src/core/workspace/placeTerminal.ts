import { constants } from 'node:fs'
import { lstat, access as mayAccess, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { OpenedBy } from '../backends/stamp'
import { homeProject } from '../data/homeProject'
import type { CreateRequest } from './createRequest'
import { existingDirectory, noSuchDirectory, type ProgramRequest } from './newProgram'
import { COLLAB_DIRECTORY } from './paths'
import type { ProjectGate } from './projectGate'
import { codeOf } from './safeDirectory'

const DEFAULT_SESSION = 'default'
const PROJECT_MARKS = [COLLAB_DIRECTORY, '.git']
const SHELLS = new Set(['bash', 'zsh', 'fish', 'sh', 'dash', 'ksh'])

/** A terminal asked for without naming its workspace in full. */
export interface AnywhereRequest extends ProgramRequest {
  project?: string | undefined
  session?: string | undefined
  name?: string | undefined
  /** Where the caller itself runs: stands in for `cwd` when neither that nor a project is given. */
  callerCwd?: string | undefined
  openedBy: OpenedBy
  idempotency?: CreateRequest['idempotency']
}

export interface Placing {
  environment: NodeJS.ProcessEnv
  gate: ProjectGate
  /** Whether the caller may see a project; the others do not exist for it. */
  isVisible(project: string): boolean
}

/** Whether a program is a shell, by the name it goes by. */
export function isShell(program: string): boolean {
  return SHELLS.has(basename(program))
}

/** The request with its workspace and name: named, else where the directory belongs, else the home directory. */
export async function placeTerminal(request: AnywhereRequest, placing: Placing): Promise<CreateRequest> {
  const { callerCwd, session = DEFAULT_SESSION, project, ...rest } = request
  const name = request.name?.trim() ? request.name : defaultName(request)
  if (project !== undefined) return { ...rest, project, session, name }
  const cwd = request.cwd ?? (await usable(callerCwd, placing))
  const place = cwd === undefined ? homeProject(placing.environment) : await placeOf(cwd, placing)
  return { ...rest, cwd, session, name, project: place }
}

/** The project a terminal in this directory belongs to. One that is another's is refused like one that is not there. */
async function placeOf(cwd: string, placing: Placing): Promise<string> {
  const found = await projectOf(await existingDirectory(cwd, placing.gate), placing)
  const project = found ?? homeProject(placing.environment)
  if (!placing.isVisible(project)) throw noSuchDirectory(cwd)
  return project
}

// Shells get the workspace's own `Terminal N`.
function defaultName({ openedBy, command }: AnywhereRequest): string | undefined {
  if (openedBy.toolset === 'tracked') return 'Tracked Terminal'
  return command && !isShell(command[0]) ? basename(command[0]) : undefined
}

// Nobody asked for it, so one that is gone is no error.
async function usable(cwd: string | undefined, placing: Placing): Promise<string | undefined> {
  if (cwd === undefined) return undefined
  return placeOf(cwd, placing).then(
    () => cwd,
    () => undefined
  )
}

/** The nearest directory from `cwd` upwards that is a project, else `cwd` itself where one can be made. */
function projectOf(cwd: string, { gate, isVisible }: Placing): Promise<string | undefined> {
  return gate.run(cwd, async () => {
    const start = await realpath(cwd)
    for (let directory = start; ; directory = dirname(directory)) {
      if (isVisible(directory) && (await isProject(directory))) return directory
      if (directory === dirname(directory)) break
    }
    return (await isWritable(start)) ? start : undefined
  })
}

async function isProject(directory: string): Promise<boolean> {
  for (const mark of PROJECT_MARKS) if (await exists(join(directory, mark))) return true
  return false
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return false
  }
}

async function isWritable(directory: string): Promise<boolean> {
  try {
    await mayAccess(directory, constants.W_OK)
    return true
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return false
  }
}
