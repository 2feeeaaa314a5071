import type { Command } from 'commander'
import { z } from 'zod'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, chooseTerminal, HostClient, type ListedTerminal } from './hostClient'
import { strings } from './strings'

interface KillOptions {
  dataDir?: string
  all?: true
  json?: true
}

/** `tandem kill <terminal>` or `--all`: the one command that ends work, and only what it names. */
export function addKillCommand(program: Command): void {
  program
    .command('kill [terminal]')
    .description(strings.killDescription)
    .option('--all', strings.options.all)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async (handle: string | undefined, options: KillOptions) => {
      if ((handle === undefined) !== (options.all === true))
        throw new CommandFailed(strings.killWhich, EXIT_CODES.usage)
      const client = HostClient.find(options.dataDir)
      const terminals = await client.terminals()
      const chosen = handle === undefined ? terminals : [chooseTerminal(terminals, handle)]
      const killed: string[] = []
      for (const terminal of chosen) if (await kill(client, terminal)) killed.push(terminal.id)
      if (handle !== undefined && killed.length === 0) process.exitCode = EXIT_CODES.failed
      process.stdout.write(options.json ? `${JSON.stringify({ killed })}\n` : `${strings.killed(killed.length)}\n`)
    })
}

async function kill(client: HostClient, { id, project, session }: ListedTerminal): Promise<boolean> {
  const query = new URLSearchParams({ project, session })
  const answer = z.object({ success: z.boolean() })
  return (await client.request(answer, 'DELETE', `/api/terminal/sessions/${id}?${query}`)).success
}
