import type { Command } from 'commander'
import { z } from 'zod'
import { EXIT_CODES } from './exitCodes'
import {
  CommandFailed,
  chooseTerminal,
  HostClient,
  type HostRefusal,
  handleOf,
  type ListedTerminal
} from './hostClient'
import { strings } from './strings'

const UNREACHABLE = 'HOST_UNAVAILABLE'

interface KillOptions {
  dataDir?: string
  all?: true
  json?: true
}

interface Failed extends HostRefusal {
  terminal: ListedTerminal
}

interface Outcome {
  killed: string[]
  failed: Failed[]
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
      const outcome = await killEach(client, handle === undefined ? terminals : [chooseTerminal(terminals, handle)])
      print(outcome, options.json === true)
      if (outcome.failed.length > 0) process.exitCode = EXIT_CODES.failed
    })
}

/** One that cannot be ended keeps none of the others from it. A host that does not answer is not asked again. */
async function killEach(client: HostClient, chosen: readonly ListedTerminal[]): Promise<Outcome> {
  const outcome: Outcome = { killed: [], failed: [] }
  let unreachable: HostRefusal | undefined
  for (const terminal of chosen) {
    const failure = unreachable ?? (await kill(client, terminal))
    if (failure?.code === UNREACHABLE) unreachable = failure
    if (failure) outcome.failed.push({ terminal, ...failure })
    else outcome.killed.push(terminal.id)
  }
  return outcome
}

async function kill(client: HostClient, { id, project, session }: ListedTerminal): Promise<HostRefusal | undefined> {
  const query = new URLSearchParams({ project, session })
  const answer = z.object({ success: z.boolean() })
  try {
    const { success } = await client.request(answer, 'DELETE', `/api/terminal/sessions/${id}?${query}`)
    return success ? undefined : { code: 'SESSION_NOT_FOUND', message: strings.killUnknown }
  } catch (failure) {
    if (!(failure instanceof CommandFailed)) throw failure
    return failure.refusal ?? { code: UNREACHABLE, message: failure.message }
  }
}

function print({ killed, failed }: Outcome, asJson: boolean): void {
  for (const { terminal, message, hint } of failed) {
    const reason = [message, hint].filter(Boolean).join('. ')
    process.stderr.write(`${strings.killFailed(handleOf(terminal), terminal.name, reason)}\n`)
  }
  const told = failed.map(({ terminal, code, message, hint }) => ({ id: terminal.id, code, message, hint }))
  process.stdout.write(asJson ? `${JSON.stringify({ killed, failed: told })}\n` : `${strings.killed(killed.length)}\n`)
}
