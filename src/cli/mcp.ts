import type { Command } from 'commander'
import { TOOLSETS } from '../core/tools/defineTool'
import { bridgeOptions } from './bridge/bridgeOptions'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { strings } from './strings'

interface McpOptions {
  toolsets?: string
  readOnly?: true
  dataDir?: string
}

/** `tandem mcp`, as help and completions show it; well-formed words never come this way (`tandem.ts`). */
export function addMcpCommand(program: Command, { userUmask }: { userUmask: number }): void {
  program
    .command('mcp')
    .description(strings.mcpDescription)
    .option('--toolsets <list>', strings.options.toolsets)
    .option('--read-only', strings.options.readOnly)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action(async (given: McpOptions) => {
      const options = bridgeOptions(given, process.env)
      if ('problem' in options) {
        const { badToolsets, badReadOnly } = strings.bridge
        const explain =
          options.problem === 'toolsets' ? badToolsets(options.value, TOOLSETS) : badReadOnly(options.value)
        throw new CommandFailed(explain, EXIT_CODES.usage)
      }
      process.umask(userUmask)
      ;(await import('./bridge/runBridge')).runBridge(options)
    })
}
