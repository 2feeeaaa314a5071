import { Command } from 'commander'
import { VERSION } from '../core/version'
import { AppError } from '../shared/errors'
import { addAppCommand, withAppCommand } from './app'
import { addAttachCommand } from './attach'
import { addCompletionCommand } from './completion'
import { addDoctorCommand } from './doctor'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { addKillCommand } from './kill'
import { addLogCommand } from './log'
import { addListCommand } from './ls'
import { addOpenCommand } from './open'
import { addServeCommand } from './serve'
import { strings } from './strings'
import { addTokenCommand } from './token'

// Everything the host makes is the user's alone; programs in terminals get the user's own mask back.
const userUmask = process.umask(0o077)

const program = new Command('tandem')
  .description(strings.tagline)
  .version(VERSION)
  .usage(strings.usage)
  .showHelpAfterError()
  .exitOverride((stop) => process.exit(stop.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage))

addServeCommand(program, { userUmask })
addOpenCommand(program)
addListCommand(program)
addAttachCommand(program)
addKillCommand(program)
addTokenCommand(program)
addLogCommand(program)
addDoctorCommand(program, { userUmask })
addCompletionCommand(program)
addAppCommand(program)

try {
  const names = ['help', ...program.commands.map((command) => command.name())]
  await program.parseAsync(withAppCommand(process.argv.slice(2), names), { from: 'user' })
} catch (failure) {
  process.stderr.write(`${explanation(failure)}\n`)
  process.exitCode = failure instanceof CommandFailed ? failure.exitCode : EXIT_CODES.failed
}

/** A coded failure says itself what to do next; anything else is a fault of ours. */
function explanation(failure: unknown): string {
  if (failure instanceof CommandFailed) return failure.message
  if (failure instanceof AppError && failure.code !== 'INTERNAL') {
    return [failure.message, failure.hint].filter(Boolean).join('. ')
  }
  return strings.unexpected(failure instanceof Error ? failure.message : String(failure))
}
