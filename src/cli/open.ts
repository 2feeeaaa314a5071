import type { Command } from 'commander'
import { z } from 'zod'
import { openDataDir } from '../core/data/dataDir'
import { readEndpoint } from '../core/data/discovery'
import { EXIT_CODES } from './exitCodes'
import { strings } from './strings'

const answerSchema = z.object({ openUrl: z.string() })
const refusalSchema = z.object({ error: z.object({ message: z.string() }) })

export function addOpenCommand(program: Command): void {
  program
    .command('open')
    .description(strings.openDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.json)
    .action(async ({ dataDir, json }: { dataDir?: string; json?: true }) => {
      const openUrl = await requestOpenUrl(openDataDir(process.env, dataDir).path)
      if (openUrl === undefined) return
      process.stdout.write(json ? `${JSON.stringify({ openUrl })}\n` : `${openUrl}\n`)
    })
}

/** A new one-time address from the running host; says why and sets the exit code when there is none. */
async function requestOpenUrl(dataDir: string): Promise<string | undefined> {
  const endpoint = readEndpoint(dataDir)
  if (!endpoint) return fail(strings.noHost, EXIT_CODES.noHost)
  let response: Response
  try {
    response = await fetch(`${endpoint.url}/api/open-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${endpoint.token}`, 'content-type': 'application/json' },
      body: '{}'
    })
  } catch {
    return fail(strings.noHost, EXIT_CODES.noHost)
  }
  const body: unknown = await response.json()
  if (response.ok) return answerSchema.parse(body).openUrl
  const refusal = refusalSchema.safeParse(body)
  return fail(
    strings.hostRefused(refusal.success ? refusal.data.error.message : response.statusText),
    EXIT_CODES.failed
  )
}

function fail(message: string, exitCode: number): undefined {
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
  return undefined
}
