import { Argument, type Command } from 'commander'
import { HOOK_SPEAKERS } from '../core/clients/hooks/hookEvents'
import { runHook } from './hook/runHook'
import { strings } from './strings'

/** `tandem hook`, as help and completions show it; a client's own words never come this way (`tandem.ts`). */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description(strings.hookDescription)
    .addArgument(new Argument('<client>').choices(HOOK_SPEAKERS))
    .argument('[event]', strings.hookEvent)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action((client: string, payload: string | undefined, { dataDir }: { dataDir?: string }) =>
      runHook({ client, payload, dataDir })
    )
}
