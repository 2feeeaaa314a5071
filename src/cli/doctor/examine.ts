import { join } from 'node:path'
import { locateDataDir } from '../../core/data/dataDir'
import { readEndpoint } from '../../core/data/discovery'
import { ownerIsRunning } from '../../core/data/ownerLock'
import { readPrivateFile } from '../../core/data/privateFile'
import { settingsNow } from '../../core/data/settingsStore'
import { checkCrashes, checkLeftovers, checkPermissions, checkSettings } from './dataDirChecks'
import type { Check, Finding, Patient } from './finding'
import { checkHost } from './hostChecks'
import { checkElectron, checkNode, checkPort, checkShell, checkTmux } from './machineChecks'
import { checkOrphans, checkWorkspaces } from './terminalChecks'

const CHECKS: readonly Check[] = [
  checkNode,
  checkTmux,
  checkShell,
  checkPort,
  checkElectron,
  checkPermissions,
  checkSettings,
  checkHost,
  checkLeftovers,
  checkWorkspaces,
  checkOrphans,
  checkCrashes
]

/** Looks at everything and changes nothing. */
export async function examine(chosenDataDir: string | undefined): Promise<{ patient: Patient; findings: Finding[] }> {
  const patient = await lookUp(chosenDataDir)
  const findings: Finding[] = []
  for (const check of CHECKS) findings.push(...(await check(patient)))
  return { patient, findings }
}

async function lookUp(chosenDataDir: string | undefined): Promise<Patient> {
  const environment = process.env
  const dataDir = locateDataDir(environment, chosenDataDir)
  const ownerId = readPrivateFile(join(dataDir.path, 'owner-id'))?.trim()
  const endpoint = readEndpoint(dataDir.path)
  const isOwned = endpoint !== undefined || (ownerId !== undefined && (await ownerIsRunning(ownerId)))
  const { settings, problems } = settingsNow(dataDir.path, { environment, flags: {} })
  return { dataDir, environment, settings, settingProblems: problems, ownerId, endpoint, isOwned }
}
