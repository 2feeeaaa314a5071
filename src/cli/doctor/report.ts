import { release } from 'node:os'
import { join } from 'node:path'
import { readCrashes } from '../../core/data/crashRecord'
import { readLog } from '../../core/data/logFile'
import { readPrivateFile } from '../../core/data/privateFile'
import { secretValues, withoutHome, withoutSecrets } from '../../core/data/scrub'
import { VERSION } from '../../core/version'
import { plain } from '../columns'
import { strings } from '../strings'
import type { Finding, Patient } from './finding'

const LOG_LINES = 60

/** Lines as a person reads them: the level, the finding, and under it what to do. Names in them are others' words. */
export function printFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, message, fix }) => [
    `${level.padEnd(4)}  ${plain(message)}`,
    ...(fix === undefined || level === 'ok' ? [] : [`      -> ${plain(fix)}`])
  ])
  return `${lines.join('\n')}\n`
}

/** A text for a bug report: versions, findings, the end of the log. Nothing in it is secret or says who the person is. */
export function printReport(patient: Patient, findings: readonly Finding[]): string {
  const { dataDir, environment, endpoint } = patient
  const crash = readCrashes(dataDir.path).at(-1)
  const parts = [
    strings.doctor.reportHeading,
    `Tandem ${VERSION}, Node ${process.versions.node}, ${process.platform} ${release()} ${process.arch}`,
    '',
    printFindings(findings),
    ...(crash ? [strings.doctor.reportCrash, JSON.stringify(crash, null, 2), ''] : []),
    strings.doctor.reportLog,
    ...readLog(dataDir.path, LOG_LINES),
    ''
  ]
  const kept = readPrivateFile(join(dataDir.path, 'token'))?.trim()
  const secrets = [kept, endpoint?.token, ...secretValues(environment)].filter((secret) => secret !== undefined)
  return withoutHome(withoutSecrets(parts.join('\n'), secrets), environment)
}
