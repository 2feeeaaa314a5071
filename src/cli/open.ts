import type { Command } from 'commander'
import { z } from 'zod'
import { HostClient } from './hostClient'
import { strings } from './strings'

export function addOpenCommand(program: Command): void {
  program
    .command('open')
    .description(strings.openDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async ({ dataDir, json }: { dataDir?: string; json?: true }) => {
      const answer = z.object({ openUrl: z.string() })
      const { openUrl } = await HostClient.find(dataDir).request(answer, 'POST', '/api/open-code')
      process.stdout.write(json ? `${JSON.stringify({ openUrl })}\n` : `${openUrl}\n`)
    })
}
