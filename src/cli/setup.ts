import { createInterface } from 'node:readline/promises'
import { Argument, type Command } from 'commander'
import { AGENT_CLIENTS, type AgentClient } from '../core/clients/agentClients'
import { type ConnectionPlan, Connections } from '../core/clients/connections'
import { ownBridge } from '../core/clients/ownBridge'
import { shownCommand } from '../core/clients/shownCommand'
import { AppError } from '../shared/errors'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { strings } from './strings'

interface SetupOptions {
  all?: true
  print?: true
  yes?: true
  remove?: true
  dataDir?: string
}

/** `tandem setup`: connects agents, one or all that are on this machine, after showing exactly what it will do. */
export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .description(strings.setupDescription)
    .addArgument(new Argument('[client]').choices(AGENT_CLIENTS.map(({ id }) => id)))
    .option('--all', strings.options.allClients)
    .option('--print', strings.options.print)
    .option('--yes', strings.options.yes)
    .option('--remove', strings.options.remove)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action(async (id: string | undefined, options: SetupOptions) => {
      if ((id === undefined) === (options.all === undefined)) {
        throw new CommandFailed(strings.setup.which(AGENT_CLIENTS.map((client) => client.id)), EXIT_CODES.usage)
      }
      const connections = connectionsFor(options)
      const chosen =
        id === undefined ? AGENT_CLIENTS.filter((one) => connections.isDetected(one)) : [connections.client(id)]
      if (chosen.length === 0) process.stderr.write(`${strings.setup.noneFound}\n`)
      for (const client of chosen)
        if (!(await setUp(client, connections, options))) process.exitCode = EXIT_CODES.failed
    })
}

function connectionsFor({ dataDir = process.env.TANDEM_DATA_DIR }: SetupOptions): Connections {
  const [, script = ''] = process.argv
  return new Connections({
    environment: process.env,
    bridgeFor: (client) => ownBridge(client, { environment: process.env, script, dataDir })
  })
}

/** One client's trouble is told and does not keep the others from being connected. */
async function setUp(client: AgentClient, connections: Connections, options: SetupOptions): Promise<boolean> {
  try {
    return await connect(client, connections, options)
  } catch (failure) {
    const { message, hint } = AppError.from(failure)
    process.stderr.write(`${strings.setup.failed(client.title, [message, hint].filter(Boolean).join('. '))}\n`)
    return false
  }
}

async function connect(client: AgentClient, connections: Connections, options: SetupOptions): Promise<boolean> {
  const isRemoval = options.remove === true
  const plan = connections.plan(client, { isRemoval })
  process.stdout.write(`${shown(plan, isRemoval)}\n`)
  if (options.print) return true
  const isChange = plan.command !== undefined || plan.file !== undefined
  if (isChange) {
    if (!options.yes && !(await isAgreed())) {
      process.stdout.write(`${strings.setup.left}\n`)
      return true
    }
    const { backup } = await connections.apply(client, { isRemoval })
    if (backup !== undefined) process.stdout.write(`${strings.setup.backup(backup)}\n`)
  }
  if (isRemoval) return true
  const tools = await connections.verify(client)
  process.stdout.write(
    `${tools === undefined ? strings.setup.silent(client.title) : strings.setup.works(client.title, tools)}\n`
  )
  return tools !== undefined
}

function shown({ title, command, file }: ConnectionPlan, isRemoval: boolean): string {
  if (command) return [strings.setup.runs(title), `  ${shownCommand(command)}`].join('\n')
  if (file) return [strings.setup.changes(title, file.path), ...file.lines.map((line) => `  ${line}`)].join('\n')
  return isRemoval ? strings.setup.absent(title) : strings.setup.present(title)
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new AppError('INVALID_ARGUMENTS', strings.setup.needsYes)
  const ask = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await ask.question(strings.setup.question)
  ask.close()
  return /^y(es)?$/i.test(answer.trim())
}
