import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { locateDataDir } from '../../core/data/dataDir'
import { readEndpoint } from '../../core/data/discovery'
import { ownerIsRunning } from '../../core/data/ownerLock'
import { readPrivateFile } from '../../core/data/privateFile'
import { SettingsStore } from '../../core/data/settingsStore'
import { readSettings } from '../../core/data/settingsValues'
import { silentLog } from '../../core/log'
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
  return { dataDir, environment, ...settingsOf(dataDir.path), ownerId, endpoint, isOwned }
}

function settingsOf(dataDir: string): Pick<Patient, 'settings' | 'settingProblems'> {
  const overrides = { environment: process.env, flags: {} }
  if (!existsSync(join(dataDir, 'config.json'))) {
    const { settings, problems } = readSettings({ ...overrides, file: {} })
    return { settings, settingProblems: problems }
  }
  const { current, problems } = new SettingsStore({ dataDir, overrides, log: silentLog })
  return { settings: current, settingProblems: problems }
}
