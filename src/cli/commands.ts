import { Command } from 'commander'
import { VERSION } from '../core/version'
import { AppError } from '../shared/errors'
import { addAppCommand, withAppCommand } from './app'
import { addAttachCommand } from './attach'
import { endWithReader } from './closedReader'
import { addCompletionCommand } from './completion'
import { addDoctorCommand } from './doctor'
import { EXIT_CODES } from './exitCodes'
import { addHookCommand } from './hook'
import { CommandFailed } from './hostClient'
import { addKillCommand } from './kill'
import { addLogCommand } from './log'
import { addListCommand } from './ls'
import { addMcpCommand } from './mcp'
import { addOpenCommand } from './open'
import { addServeCommand, SERVE } from './serve'
import { addSetupCommand } from './setup'
import { strings } from './strings'
import { addTokenCommand } from './token'

/** Runs the command that these words name, and says what kept it from succeeding. */
export async function runCommands(words: readonly string[]): Promise<void> {
  // Everything the host makes is the user's alone; programs in terminals get the user's own mask back.
  const program = declared(process.umask(0o077))
  try {
    const names = ['help', ...program.commands.map((command) => command.name())]
    await program.parseAsync(withAppCommand(words, names), { from: 'user' })
  } catch (failure) {
    process.stderr.write(`${explanation(failure)}\n`)
    process.exitCode = failure instanceof CommandFailed ? failure.exitCode : EXIT_CODES.failed
  }
}

function declared(userUmask: number): Command {
  const program = new Command('tandem')
    .description(strings.tagline)
    .version(VERSION)
    .usage(strings.usage)
    .showHelpAfterError()
    .exitOverride((stop) => process.exit(stop.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage))
  addServeCommand(program, { userUmask })
  program.hook('preAction', (_program, action) => {
    if (action.name() !== SERVE) endWithReader()
  })
  addOpenCommand(program)
  addListCommand(program)
  addAttachCommand(program)
  addKillCommand(program)
  addMcpCommand(program, { userUmask })
  addSetupCommand(program)
  addHookCommand(program)
  addTokenCommand(program)
  addLogCommand(program)
  addDoctorCommand(program, { userUmask })
  addCompletionCommand(program)
  addAppCommand(program, { userUmask })
  return program
}

/** A coded failure says itself what to do next; anything else is a fault of ours. */
function explanation(failure: unknown): string {
  if (failure instanceof CommandFailed) return failure.message
  if (failure instanceof AppError && failure.code !== 'INTERNAL') {
    return [failure.message, failure.hint].filter(Boolean).join('. ')
  }
  return strings.unexpected(failure instanceof Error ? failure.message : String(failure))
}
