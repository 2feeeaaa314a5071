import { createInterface } from 'node:readline/promises'
import { Argument, type Command } from 'commander'
import { AGENT_CLIENTS, type AgentClient } from '../core/clients/agentClients'
import { type ConnectionPlan, Connections } from '../core/clients/connections'
import { HOOK_CLIENTS, type HookClient } from '../core/clients/hooks/hookClients'
import { HookSetup } from '../core/clients/hooks/hookSetup'
import { ownBridge, ownHook } from '../core/clients/ownBridge'
import { shownCommand } from '../core/clients/shownCommand'
import { locateDataDir, namedDataDir } from '../core/data/dataDir'
import { AppError } from '../shared/errors'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { strings } from './strings'

interface SetupOptions {
  all?: true
  print?: true
  yes?: true
  remove?: true
  hooks?: true
  dataDir?: string
}

/** `tandem setup`: connects agents, one or all that are on this machine, after showing exactly what it will do. */
export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .description(strings.setupDescription)
    .addArgument(
      new Argument('[client]').choices([...new Set([...AGENT_CLIENTS, ...HOOK_CLIENTS].map(({ id }) => id))])
    )
    .option('--all', strings.options.allClients)
    .option('--print', strings.options.print)
    .option('--yes', strings.options.yes)
    .option('--remove', strings.options.remove)
    .option('--hooks', strings.options.hooks)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action(async (id: string | undefined, options: SetupOptions) => {
      const offered = options.hooks ? HOOK_CLIENTS : AGENT_CLIENTS
      if ((id === undefined) === (options.all === undefined)) {
        throw new CommandFailed(strings.setup.which(offered.map((client) => client.id)), EXIT_CODES.usage)
      }
      if (!options.hooks && id !== undefined && !AGENT_CLIENTS.some((client) => client.id === id)) {
        throw new CommandFailed(strings.setup.onlyHooks(id), EXIT_CODES.usage)
      }
      const works = options.hooks ? hooksFor(id, options) : connectionsFor(id, options)
      if (works.length === 0) process.stderr.write(`${strings.setup.noneFound}\n`)
      for (const work of works) if (!(await setUp(work, options))) process.exitCode = EXIT_CODES.failed
    })
}

/** What is set up for one client: shown, then done, then tried where it can be. */
interface Work {
  client: AgentClient | HookClient
  words: { present(title: string): string; absent(title: string): string }
  plan(): ConnectionPlan
  apply(): Promise<{ backup?: string | undefined }>
  /** Whether it works, told to the person. */
  verify(): Promise<boolean>
}

function connectionsFor(id: string | undefined, options: SetupOptions): Work[] {
  const place = placeOf(options)
  const connections = new Connections({ ...place, bridgeFor: (client) => ownBridge(client, place) })
  const isRemoval = options.remove === true
  const chosen =
    id === undefined ? AGENT_CLIENTS.filter((one) => connections.isDetected(one)) : [connections.client(id)]
  return chosen.map((client) => ({
    client,
    words: strings.setup,
    plan: () => connections.plan(client, { isRemoval }),
    apply: () => connections.apply(client, { isRemoval }),
    verify: async () => {
      const tools = await connections.verify(client)
      const { silent, works } = strings.setup
      process.stdout.write(`${tools === undefined ? silent(client.title) : works(client.title, tools)}\n`)
      return tools !== undefined
    }
  }))
}

function hooksFor(id: string | undefined, options: SetupOptions): Work[] {
  const place = placeOf(options)
  const setup = new HookSetup({ ...place, commandFor: (client) => ownHook(client.id, place) })
  const isRemoval = options.remove === true
  const chosen = id === undefined ? HOOK_CLIENTS.filter((one) => setup.isDetected(one)) : [setup.client(id)]
  return chosen.map((client) => ({
    client,
    words: strings.setup.hooks,
    plan: () => setup.plan(client, { isRemoval }),
    apply: async () => setup.apply(client, { isRemoval }),
    verify: async () => {
      process.stdout.write(`${strings.setup.hooks.done(client.title)}\n`)
      return true
    }
  }))
}

function placeOf({ dataDir: chosen }: SetupOptions) {
  const [, script = ''] = process.argv
  const dataDir = namedDataDir(process.env, locateDataDir(process.env, chosen))
  return { environment: process.env, script, dataDir }
}

/** One client's trouble is told and does not keep the others from being connected. */
async function setUp(work: Work, options: SetupOptions): Promise<boolean> {
  try {
    return await carryOut(work, options)
  } catch (failure) {
    const { message, hint } = AppError.from(failure)
    process.stderr.write(`${strings.setup.failed(work.client.title, [message, hint].filter(Boolean).join('. '))}\n`)
    return false
  }
}

async function carryOut(work: Work, options: SetupOptions): Promise<boolean> {
  const isRemoval = options.remove === true
  const plan = work.plan()
  process.stdout.write(`${shown(plan, isRemoval, work.words)}\n`)
  if (options.print) return true
  const isChange = plan.command !== undefined || plan.file !== undefined
  if (isChange) {
    if (!options.yes && !(await isAgreed())) {
      process.stdout.write(`${strings.setup.left}\n`)
      return true
    }
    const { backup } = await work.apply()
    if (backup !== undefined) process.stdout.write(`${strings.setup.backup(backup)}\n`)
  }
  return isRemoval || work.verify()
}

function shown({ title, command, file }: ConnectionPlan, isRemoval: boolean, words: Work['words']): string {
  if (command) return [strings.setup.runs(title), `  ${shownCommand(command)}`].join('\n')
  if (file) return [strings.setup.changes(title, file.path), ...file.lines.map((line) => `  ${line}`)].join('\n')
  return isRemoval ? words.absent(title) : words.present(title)
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new AppError('INVALID_ARGUMENTS', strings.setup.needsYes)
  const ask = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await ask.question(strings.setup.question)
  ask.close()
  return /^y(es)?$/i.test(answer.trim())
}
