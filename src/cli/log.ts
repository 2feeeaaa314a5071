import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { type AuditEntry, auditEntrySchema, readAudit } from '../core/data/audit'
import { openDataDir } from '../core/data/dataDir'
import { readEndpoint } from '../core/data/discovery'
import { columns } from './columns'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, HostClient } from './hostClient'
import { logRow } from './logRow'
import { strings } from './strings'

const DEFAULT_ENTRIES = '50'
const MAX_ENTRIES = 9999
const LOOK_AGAIN_MS = 500

interface LogOptions {
  dataDir?: string
  json?: true
  limit: string
  follow?: true
}

/** `tandem log`: who did what in which terminal. Without a host it reads what the last one left. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .description(strings.logDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonLog)
    .option('--limit <number>', strings.options.limit, DEFAULT_ENTRIES)
    .option('--follow', strings.options.follow)
    .action(async (options: LogOptions) => {
      const limit = Number(options.limit)
      if (!/^\d+$/.test(options.limit) || limit < 1 || limit > MAX_ENTRIES) {
        throw new CommandFailed(strings.badLimit(options.limit, MAX_ENTRIES), EXIT_CODES.usage)
      }
      const { path } = openDataDir(process.env, options.dataDir)
      const entries = (await readEntries(path, limit)).slice(-limit)
      if (!options.follow) return print(entries, options.json === true)
      await follow(path, entries, options.json === true)
    })
}

async function readEntries(dataDir: string, limit: number): Promise<AuditEntry[]> {
  if (!readEndpoint(dataDir)) return readAudit(dataDir)
  try {
    const answer = z.object({ entries: z.array(auditEntrySchema) })
    return (await HostClient.find(dataDir).request(answer, 'GET', `/api/audit?limit=${limit}`)).entries
  } catch (failure) {
    // It ended between the two looks.
    if (failure instanceof CommandFailed && failure.exitCode === EXIT_CODES.noHost) return readAudit(dataDir)
    throw failure
  }
}

/** Until Ctrl+C: what comes, one line each. */
async function follow(dataDir: string, first: readonly AuditEntry[], asJson: boolean): Promise<never> {
  let entries = first
  let last = 0
  for (;;) {
    for (const entry of entries.filter(({ id }) => id > last)) {
      process.stdout.write(asJson ? `${JSON.stringify(entry)}\n` : `${columns([logRow(entry)])}\n`)
      last = entry.id
    }
    await wait(LOOK_AGAIN_MS)
    entries = await readEntries(dataDir, MAX_ENTRIES)
  }
}

function print(entries: readonly AuditEntry[], asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify({ entries })}\n`)
  else if (entries.length === 0) process.stderr.write(`${strings.logEmpty}\n`)
  else process.stdout.write(`${columns([strings.logHeadings, ...entries.map(logRow)])}\n`)
}
