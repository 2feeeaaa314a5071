import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/errors'
import { isMissing, readPrivateFile, writePrivateFile } from './privateFile'
import { withoutHome, withoutSecrets } from './scrub'

const MAX_KEPT = 5
const MAX_STACK_CHARACTERS = 8192
const NEW = /^\d{17}\.json$/
const KEPT = /^\d{17}(\.seen)?\.json$/

const crashSchema = z.object({
  time: z.string(),
  version: z.string(),
  code: z.string(),
  stack: z.string()
})
/** How a host came to its end against its will. */
export type CrashRecord = z.infer<typeof crashSchema>

interface Surroundings {
  version: string
  environment: NodeJS.ProcessEnv
  secrets: readonly string[]
}

/** Writes down an uncaught failure, 0600 in the data dir, without secrets or the person's home path. */
export function writeCrashRecord(
  dataDir: string,
  thrown: unknown,
  { version, environment, secrets }: Surroundings
): CrashRecord {
  const time = new Date().toISOString()
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  const clean = withoutHome(withoutSecrets(stack, secrets), environment).slice(0, MAX_STACK_CHARACTERS)
  const record = { time, version, code: codeOf(thrown), stack: clean }
  const folder = folderIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePrivateFile(join(folder, `${time.replaceAll(/\D/g, '')}.json`), `${JSON.stringify(record, null, 2)}\n`)
  forgetOldest(folder)
  return record
}

/** The newest crash nobody was told of yet; from now on it counts as told. */
export function takeUntoldCrash(dataDir: string): CrashRecord | undefined {
  const folder = folderIn(dataDir)
  const untold = namesIn(folder).filter((name) => NEW.test(name))
  const newest = untold.at(-1)
  const record = newest === undefined ? undefined : readCrash(join(folder, newest))
  for (const name of untold) renameSync(join(folder, name), join(folder, name.replace('.json', '.seen.json')))
  return record
}

/** Every crash kept, oldest first. */
export function readCrashes(dataDir: string): CrashRecord[] {
  const folder = folderIn(dataDir)
  return namesIn(folder).flatMap((name) => readCrash(join(folder, name)) ?? [])
}

function readCrash(path: string): CrashRecord | undefined {
  try {
    return crashSchema.safeParse(JSON.parse(readPrivateFile(path) ?? '')).data
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.code
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (typeof code === 'string') return code
  return thrown instanceof Error ? thrown.name : typeof thrown
}

function forgetOldest(folder: string): void {
  for (const name of namesIn(folder).slice(0, -MAX_KEPT)) rmSync(join(folder, name), { force: true })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => KEPT.test(name))
      .sort()
  } catch (failure) {
    if (isMissing(failure)) return []
    throw failure
  }
}

function folderIn(dataDir: string): string {
  return join(dataDir, 'crashes')
}
