import type { Command } from 'commander'
import { locateDataDir } from '../core/data/dataDir'
import { readEndpoint } from '../core/data/discovery'
import { TERMINAL_ID_VARIABLE } from '../core/workspace/programEnvironment'
import { CLOSE_CODE } from '../shared/wire'
import { Attachment, type Left } from './attach/attachment'
import { type DetachKey, readDetachKey } from './attach/detachKey'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, chooseTerminal, HostClient, handleOf, type ListedTerminal } from './hostClient'
import { strings } from './strings'

const DEFAULT_KEY = 'ctrl-]'
const NO_KEY = 'none'
const UNKNOWN_TERMINAL = 404

interface AttachOptions {
  dataDir?: string
  detachKey: string
}

/** `tandem attach`: this terminal becomes a window onto one of the host's, until it ends or is left. */
export function addAttachCommand(program: Command): void {
  program
    .command('attach <terminal>')
    .description(strings.attachDescription)
    .option('--detach-key <key>', strings.options.detachKey, DEFAULT_KEY)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action(async (handle: string, { dataDir, detachKey }: AttachOptions) => {
      const key = chosenKey(detachKey)
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new CommandFailed(strings.attachNeedsTty, EXIT_CODES.usage)
      const client = HostClient.find(dataDir)
      const terminal = chooseTerminal(await client.terminals(), handle)
      // It would show itself showing itself.
      if (terminal.id === process.env[TERMINAL_ID_VARIABLE]) {
        throw new CommandFailed(strings.attachHere, EXIT_CODES.usage)
      }
      const { path } = locateDataDir(process.env, dataDir)
      const find = () => readEndpoint(path)
      const { tmuxSession } = terminal
      report(await new Attachment({ tmuxSession, key, find }).run(client.endpoint), terminal)
    })
}

function chosenKey(text: string): DetachKey | undefined {
  if (text === NO_KEY) return undefined
  const key = readDetachKey(text)
  if (!key) throw new CommandFailed(strings.badDetachKey(text), EXIT_CODES.usage)
  return key
}

function report(left: Left, terminal: ListedTerminal): void {
  const { name } = terminal
  if (left.kind === 'detached') process.stderr.write(`${strings.detached(name)}\n`)
  else if (left.kind === 'ended') process.stderr.write(`${strings.terminalEnded(name)}\n`)
  else throw new CommandFailed(whyLost(left, terminal), EXIT_CODES.failed)
}

function whyLost(left: Exclude<Left, { kind: 'detached' | 'ended' }>, terminal: ListedTerminal): string {
  if (left.kind === 'lost') {
    const reason = left.code === CLOSE_CODE.goingAway ? strings.attachStopped : left.reason
    return strings.attachLost(reason, handleOf(terminal))
  }
  return left.status === UNKNOWN_TERMINAL ? strings.attachGone(terminal.name) : strings.attachRefused(left.status)
}
