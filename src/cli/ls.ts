import { type Command, Option } from 'commander'
import { columns, plain } from './columns'
import { EXIT_CODES } from './exitCodes'
import { HostClient, handleOf, type ListedTerminal } from './hostClient'
import { strings } from './strings'

const COMPLETION_LIMIT_MS = 1000

interface ListOptions {
  dataDir?: string
  json?: true
  completion?: true
}

/** `tandem ls`: every terminal of the running host. */
export function addListCommand(program: Command): void {
  program
    .command('ls')
    .description(strings.listDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .addOption(new Option('--completion').hideHelp())
    .action(async ({ dataDir, json, completion }: ListOptions) => {
      // A person who presses Tab would rather have nothing than wait.
      if (completion) setTimeout(() => process.exit(EXIT_CODES.failed), COMPLETION_LIMIT_MS).unref()
      const terminals = await HostClient.find(dataDir).terminals()
      if (completion) process.stdout.write(terminals.map(candidate).join(''))
      else process.stdout.write(json ? `${JSON.stringify({ terminals })}\n` : table(terminals))
    })
}

/** What the shells' completions read: a handle, a tab, the name. */
function candidate(terminal: ListedTerminal): string {
  return `${handleOf(terminal)}\t${plain(terminal.name)}\n`
}

function table(terminals: readonly ListedTerminal[]): string {
  if (terminals.length === 0) return `${strings.listEmpty}\n`
  const rows = terminals.map((terminal) => {
    const { name, state, project, session, program } = terminal
    return [handleOf(terminal), name, state, `${project} (${session})`, program]
  })
  return `${columns([strings.listHeadings, ...rows])}\n`
}
