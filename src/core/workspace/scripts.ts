import { randomBytes } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Access } from '../../shared/access'
import type { WorkspaceKey } from '../../shared/terminal'
import { sessionSegments } from './paths'
import type { ProjectGate } from './projectGate'
import { codeOf, SafeDirectory } from './safeDirectory'
import { ignoreForGit, removeFile, writeNewFile } from './safeFiles'
import { sessionNotFound, type TerminalFinder } from './terminalFinder'

const SCRIPTS_DIRECTORY = 'scripts'
const SCRIPT = /^[a-z]+-[0-9a-f]{12}\.[a-z]+$/
/** Programs read their script when they start; so many starts later nobody is still waiting to. */
const MAX_SCRIPTS = 50
const MIN_AGE_MS = 60 * 60 * 1000
const WRITE_LIMIT_MS = 10_000

export interface Script {
  /** Begins its name, so that a person sees what it is for. */
  kind: string
  extension: string
  text: string
}

/** Files that programs in terminals read, in the workspace of each. */
export class Scripts {
  constructor(
    private readonly finder: TerminalFinder,
    private readonly gate: ProjectGate
  ) {}

  /** Writes a script for a program in this terminal, for the owner alone, and returns its path. Old ones are removed. */
  async write(access: Access, handle: string, script: Script): Promise<string> {
    const living = this.finder.living(access, handle)
    if (!living) throw sessionNotFound(handle)
    return writeScript(living.workspace.key, script, this.gate)
  }
}

function writeScript({ project, session }: WorkspaceKey, script: Script, gate: ProjectGate): Promise<string> {
  const name = `${script.kind}-${randomBytes(6).toString('hex')}.${script.extension}`
  const segments = [...sessionSegments(session), SCRIPTS_DIRECTORY]
  return gate.run(
    project,
    async () => {
      const directory = await SafeDirectory.open({ project, segments, create: true, onMaking: ignoreForGit })
      if (!directory) throw new Error('A directory that was made is not there')
      try {
        await writeNewFile(directory, name, script.text)
        await directory.verify()
        await prune(directory, name)
        return join(directory.path, name)
      } finally {
        await directory.close()
      }
    },
    WRITE_LIMIT_MS
  )
}

async function prune(directory: SafeDirectory, newest: string): Promise<void> {
  const names = (await readdir(directory.at('.'))).filter((name) => SCRIPT.test(name) && name !== newest)
  if (names.length < MAX_SCRIPTS) return
  const found = await Promise.all(names.map(async (name) => ({ name, modifiedMs: await modifiedMs(directory, name) })))
  const oldest = found.sort((one, other) => other.modifiedMs - one.modifiedMs).slice(MAX_SCRIPTS - 1)
  const nowMs = Date.now()
  for (const { name, modifiedMs: ms } of oldest) if (nowMs - ms > MIN_AGE_MS) await removeFile(directory, name)
}

// One that another host took away meanwhile is old enough.
async function modifiedMs(directory: SafeDirectory, name: string): Promise<number> {
  try {
    return (await lstat(directory.at(name))).mtimeMs
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT') return 0
    throw failure
  }
}
