import type { Command } from 'commander'
import { HostClient, type ListedTerminal } from './hostClient'
import { strings } from './strings'

/** `tandem ls`: every terminal of the running host. */
export function addListCommand(program: Command): void {
  program
    .command('ls')
    .description(strings.listDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async ({ dataDir, json }: { dataDir?: string; json?: true }) => {
      const terminals = await HostClient.find(dataDir).terminals()
      process.stdout.write(json ? `${JSON.stringify({ terminals })}\n` : table(terminals))
    })
}

function table(terminals: readonly ListedTerminal[]): string {
  if (terminals.length === 0) return `${strings.listEmpty}\n`
  const rows = terminals.map(({ id, name, state, project, session, program }) => [
    `sess_${id.slice(0, 8)}`,
    name,
    state,
    `${project} (${session})`,
    program
  ])
  return `${columns([[...strings.listHeadings], ...rows])}\n`
}

function columns(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
