import type { Command } from 'commander'
import { flagName, SETTING_NAMES, SETTINGS } from '../shared/settings'
import type { ServeOptions } from './serveOptions'
import { strings } from './strings'

export const SERVE = 'serve'

/** `tandem serve`: core and doors in plain Node. */
export function addServeCommand(program: Command, { userUmask }: { userUmask: number }): void {
  const command = program
    .command(SERVE)
    .description(strings.serveDescription)
    .option('--port <number>', strings.options.port)
    .option('--host <address>', strings.options.host, '127.0.0.1')
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--token <token>', strings.options.token)
    .option('--json', strings.options.json)
    .option('--open', strings.options.open)
    .option('--allow-remote', strings.options.allowRemote)
    .option('--take-over', strings.options.takeOver)
  for (const name of SETTING_NAMES) command.option(`${flagName(name)} <value>`, SETTINGS[name].description)
  // The host is loaded only where it is run: the other commands start three times as fast without it.
  command.action(async (options: ServeOptions) => (await import('./serveHost')).serveHost(options, userUmask))
}
