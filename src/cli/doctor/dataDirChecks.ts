import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCrashes } from '../../core/data/crashRecord'
import { mayBeDataDir, namedDataDir } from '../../core/data/dataDir'
import { hasStaleEndpoint, removeEndpoint } from '../../core/data/discovery'
import { leftoverRuntimeDir, removeLeftoverRuntimeDir } from '../../core/data/runtimeDir'
import { strings } from '../strings'
import type { Check, Finding } from './finding'

/** Chromium's own files, which are none of ours. */
const NOT_OURS = 'window'
const words = strings.doctor

/** Everything in the data dir is the user's alone: directories 0700, files 0600. */
export const checkPermissions: Check = ({ dataDir: { path }, environment }) => {
  if (!existsSync(path)) return [{ check: 'data-dir', level: 'ok', message: words.dataDirAbsent }]
  if (!mayBeDataDir(path) && namedDataDir(environment, { path }) !== undefined) {
    return [{ check: 'data-dir', level: 'fail', message: words.notDataDir(path), fix: words.notDataDirFix }]
  }
  const entries = entriesOf(path)
  const foreign = entries.filter((entry) => lstatSync(entry).uid !== process.getuid?.())
  if (foreign.length > 0) {
    return [{ check: 'data-dir', level: 'fail', message: words.foreignFiles(foreign), fix: words.foreignFix(path) }]
  }
  const loose = entries.filter((entry) => !lstatSync(entry).isSymbolicLink() && (lstatSync(entry).mode & 0o077) !== 0)
  if (loose.length === 0) return [{ check: 'data-dir', level: 'ok', message: words.dataDir(path) }]
  const repair = () => {
    for (const entry of loose) chmodSync(entry, lstatSync(entry).isDirectory() ? 0o700 : 0o600)
    return words.tightened(loose.length)
  }
  return [{ check: 'data-dir', level: 'fail', message: words.looseFiles(loose), fix: words.looseFix, repair }]
}

export const checkSettings: Check = ({ settingProblems }) => {
  if (settingProblems.length === 0) return [{ check: 'settings', level: 'ok', message: words.settings }]
  return settingProblems.map(
    (message): Finding => ({ check: 'settings', level: 'warn', message, fix: words.settingsFix })
  )
}

/** What a host that was killed left behind. While one runs, the same things are in use. */
export const checkLeftovers: Check = ({ dataDir: { path }, isOwned }) => {
  if (isOwned) return []
  const findings: Finding[] = []
  if (hasStaleEndpoint(path)) {
    const repair = () => {
      removeEndpoint(path)
      return words.endpointRemoved
    }
    findings.push({ check: 'leftovers', level: 'warn', message: words.staleEndpoint, fix: words.leftoverFix, repair })
  }
  const runtimeDir = leftoverRuntimeDir(path)
  if (runtimeDir !== undefined) {
    const repair = () => {
      removeLeftoverRuntimeDir(path)
      return words.runtimeDirRemoved(runtimeDir)
    }
    const message = words.leftoverRuntimeDir(runtimeDir)
    findings.push({ check: 'leftovers', level: 'warn', message, fix: words.leftoverFix, repair })
  }
  return findings.length > 0 ? findings : [{ check: 'leftovers', level: 'ok', message: words.noLeftovers }]
}

export const checkCrashes: Check = ({ dataDir: { path } }) => {
  const crashes = readCrashes(path)
  const last = crashes.at(-1)
  if (!last) return [{ check: 'crashes', level: 'ok', message: words.noCrashes }]
  const message = words.crashes(crashes.length, last.time, last.code)
  return [{ check: 'crashes', level: 'warn', message, fix: words.crashesFix(join(path, 'crashes')) }]
}

function entriesOf(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== NOT_OURS)
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? entriesOf(path) : [path]
    })
  return [folder, ...below]
}
