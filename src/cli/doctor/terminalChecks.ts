import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProcessIdentity } from '../../core/backends/processTable'
import { decodeStamp, type Stamp } from '../../core/backends/stamp'
import { readBootId } from '../../core/data/bootId'
import { readPrivateFile } from '../../core/data/privateFile'
import { runningServer } from '../../core/workspace/knownServers'
import { COLLAB_DIRECTORY, STORE_NAME, sessionSegments } from '../../core/workspace/paths'
import { MAX_STORE_BYTES, parseStore } from '../../core/workspace/storeState'
import type { WorkspaceKey } from '../../shared/terminal'
import { strings } from '../strings'
import type { Check, Finding, Patient } from './finding'

const ANSWER_LIMIT_MS = 3000
const NO_SERVER = Symbol('no server')
const words = strings.doctor
const knownSchema = z.object({ workspaces: z.array(z.object({ project: z.string(), session: z.string() })) })

/** Every project somebody made a terminal in, and damaged files that were kept aside there. */
export const checkWorkspaces: Check = async ({ dataDir: { path } }) => {
  const known = knownWorkspaces(path)
  const reachable = await Promise.all(known.map(({ project }) => isReachable(project)))
  const gone = [...new Set(known.filter((_, index) => !reachable[index]).map(({ project }) => project))]
  const aside = [
    ...asideIn(path),
    ...known.filter((_, index) => reachable[index]).flatMap((key) => asideIn(storeDir(key)))
  ]
  const findings: Finding[] = [
    ...gone.map((project): Finding => {
      const message = words.unreachable(project)
      return { check: 'workspaces', level: 'warn', message, fix: words.unreachableFix }
    }),
    ...aside.map((file): Finding => {
      return { check: 'workspaces', level: 'warn', message: words.keptAside(file), fix: words.keptAsideFix }
    })
  ]
  return findings.length > 0
    ? findings
    : [{ check: 'workspaces', level: 'ok', message: words.workspaces(known.length) }]
}

/** Living terminals that no store knows: their stamps bring them back. */
export const checkOrphans: Check = async (patient) => {
  const said = await askTmux(patient)
  if (said === undefined) return warning(words.tmuxSilent, words.tmuxSilentFix)
  // No server at the socket is not no server: one whose socket was deleted goes on.
  const unasked = said === NO_SERVER ? await unaskedServer(patient) : undefined
  if (unasked) return warning(words.tmuxUnreachable(unasked.pid), words.tmuxUnreachableFix)
  const living = said === NO_SERVER ? [] : stampsIn(said).filter(({ owner }) => owner === patient.ownerId)
  const orphans = living.filter((stamp) => !recordedIn(stamp).includes(stamp.id))
  if (orphans.length === 0) return [{ check: 'terminals', level: 'ok', message: words.terminals(living.length) }]
  const names = orphans.map(({ name, project, session }) => `"${name}" in ${project} (${session})`)
  return warning(words.orphans(names), words.orphansFix)
}

function warning(message: string, fix: string): Finding[] {
  return [{ check: 'terminals', level: 'warn', message, fix }]
}

/** The stamps of everything that lives, a line each; undefined when tmux does not answer. */
function askTmux({ dataDir, environment }: Patient): Promise<string | typeof NO_SERVER | undefined> {
  const format = ['list-panes', '-a', '-F', '#{@tandem_stamp}']
  return new Promise((resolve) => {
    const options = { env: environment, timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' } as const
    execFile('tmux', ['-L', dataDir.tmuxSocket, ...format], options, (failure, stdout, stderr) => {
      const isNone = failure && (/no server running|No such file/.test(stderr) || failure.code === 'ENOENT')
      resolve(isNone ? NO_SERVER : failure ? undefined : stdout)
    })
  })
}

async function unaskedServer({ dataDir }: Patient): Promise<ProcessIdentity | undefined> {
  try {
    return await runningServer(dataDir.path, readBootId())
  } catch {
    return undefined // a list that cannot be read names no server
  }
}

function stampsIn(lines: string): Stamp[] {
  return lines.split('\n').flatMap((line) => decodeStamp(line) ?? [])
}

function recordedIn(key: WorkspaceKey): string[] {
  try {
    const path = join(storeDir(key), STORE_NAME)
    if (statSync(path).size > MAX_STORE_BYTES) return []
    const parsed = parseStore(readFileSync(path, 'utf8'))
    return parsed.state?.sessions.map(({ id }) => id) ?? []
  } catch {
    return [] // whatever is wrong with the file, it records nothing
  }
}

function knownWorkspaces(dataDir: string): WorkspaceKey[] {
  try {
    const content = readPrivateFile(join(dataDir, 'workspaces.json')) ?? '{"workspaces":[]}'
    const { workspaces } = knownSchema.parse(JSON.parse(content))
    for (const { session } of workspaces) sessionSegments(session)
    return workspaces
  } catch {
    return [] // a damaged list is kept aside and rebuilt from stamps at the next start
  }
}

/** A dead mount never answers; nobody waits for it. */
async function isReachable(project: string): Promise<boolean> {
  const answer = stat(project).then(
    (found) => found.isDirectory(),
    () => false
  )
  return Promise.race([answer, wait(ANSWER_LIMIT_MS, false, { ref: false })])
}

function asideIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.includes('.corrupt-'))
      .map((name) => join(folder, name))
  } catch {
    return [] // not there, or not ours to read: then there is nothing kept aside by us
  }
}

function storeDir({ project, session }: WorkspaceKey): string {
  return join(project, COLLAB_DIRECTORY, ...sessionSegments(session))
}
