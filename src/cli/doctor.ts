import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { z } from 'zod'
import { openDataDir } from '../core/data/dataDir'
import { summaryLine } from '../core/workspace/reconcile'
import { plain } from './columns'
import type { Finding, Patient } from './doctor/finding'
import { printFindings, printReport } from './doctor/report'
import { EXIT_CODES } from './exitCodes'
import { HostClient } from './hostClient'
import { createStderrLog } from './stderrLog'
import { strings } from './strings'

interface DoctorOptions {
  dataDir?: string
  fix?: true
  report?: true
  json?: true
}

/** `tandem doctor`: looks at the machine; with `--fix` mends what can be mended without losing anything. */
export function addDoctorCommand(program: Command, { userUmask }: { userUmask: number }): void {
  program
    .command('doctor')
    .description(strings.doctorDescription)
    .option('--fix', strings.options.fix)
    .option('--report', strings.options.report)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async (options: DoctorOptions) => {
      // Loaded where it is used: what it looks with is heavier than all other commands.
      const { examine } = await import('./doctor/examine')
      const before = await examine(options.dataDir)
      const fixed = options.fix ? await mend(before, { ...options, userUmask }) : []
      const { patient, findings } = options.fix ? await examine(options.dataDir) : before
      const isSound = findings.every(({ level }) => level !== 'fail')
      process.stdout.write(print({ patient, findings, fixed, isSound }, options))
      // A directory on a dead mount may still be waited for.
      process.stdout.write('', () => process.exit(isSound ? EXIT_CODES.ok : EXIT_CODES.failed))
    })
}

interface Diagnosis {
  patient: Patient
  findings: readonly Finding[]
  fixed: readonly string[]
  isSound: boolean
}

function print({ patient, findings, fixed, isSound }: Diagnosis, { json, report }: DoctorOptions): string {
  if (json) {
    const shown = findings.map(({ check, level, message, fix }) => ({ check, level, message, fix }))
    return `${JSON.stringify({ ok: isSound, findings: shown, fixed })}\n`
  }
  if (report) return printReport(patient, findings)
  return fixed.map((line) => `done  ${plain(line)}\n`).join('') + printFindings(findings)
}

async function mend(
  { patient, findings }: { patient: Patient; findings: readonly Finding[] },
  { dataDir, userUmask }: DoctorOptions & { userUmask: number }
): Promise<string[]> {
  const repaired = findings.flatMap(({ repair }) => (repair ? [repair()] : []))
  // Where there is nothing, nothing is made: the place may be a typing error.
  if (!existsSync(patient.dataDir.path)) return repaired
  try {
    return [...repaired, await reconcile(patient, { dataDir, userUmask })]
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    process.stderr.write(`${strings.doctor.reconcileFailed(plain(reason))}\n`)
    return repaired
  }
}

/** The running host does it; without one this process is the host for a moment, and holds the lock like one. */
async function reconcile(
  { endpoint }: Patient,
  { dataDir, userUmask }: { dataDir: string | undefined; userUmask: number }
): Promise<string> {
  if (endpoint) {
    const count = z.number()
    const answer = z.object({ removed: count, killed: count, adopted: count })
    return summaryLine(await HostClient.find(dataDir).request(answer, 'POST', '/api/reconcile'))
  }
  const told: string[] = []
  const toStderr = createStderrLog(
    () => 'warn',
    (line) => process.stderr.write(line)
  )
  const log = { ...toStderr, info: (_fields: object, message: string) => told.push(message) }
  const opened = openDataDir(process.env, dataDir)
  const host = await (await import('../core/host')).startHost({
    dataDir: opened,
    environment: process.env,
    userUmask,
    flags: {},
    log
  })
  await host.stop()
  return told.find((line) => line.startsWith('Reconciled')) ?? ''
}
