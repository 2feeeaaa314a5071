import { request } from 'node:http'
import { reportOf } from '../../core/clients/hooks/hookEvents'
import { locateDataDir } from '../../core/data/dataDir'
import type { Endpoint } from '../../core/data/discovery'
import { TERMINAL_ID_VARIABLE } from '../../core/workspace/programEnvironment'
import type { AgentReport } from '../../shared/activity'
import type { HookOptions } from './hookOptions'

/** The agent waits for its hook: whatever takes longer is not told. */
const INPUT_LIMIT_MS = 1_000
const ANSWER_LIMIT_MS = 1_500
/** Events carry what a tool printed; of a larger one nothing is told. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024

/**
 * `tandem hook`: tells the host how the agent stands that runs in this terminal. Whatever goes wrong, it says nothing and
 * ends well: an agent shows its person what a hook prints, and may stop for one that fails.
 */
export async function runHook(options: HookOptions): Promise<void> {
  try {
    await tell(options)
  } catch {
    // No host, a host that refuses, a full disk: none of it is the agent's business.
  }
  process.exitCode = 0
}

async function tell({ client, payload, dataDir }: HookOptions): Promise<void> {
  const text = payload ?? (await input())
  const terminal = process.env[TERMINAL_ID_VARIABLE]
  const report = terminal ? reportOf(client, text) : undefined
  if (!terminal || !report) return
  // Loaded late: outside of Tandem's terminals it is not needed.
  const { readEndpoint } = await import('../../core/data/discovery')
  const endpoint = readEndpoint(locateDataDir(process.env, dataDir).path)
  if (endpoint) await post(endpoint, terminal, report)
}

/** What the client writes to us, read to its end, so that it never writes to a pipe that is closed. */
function input(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return Promise.resolve('')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(bytes > MAX_INPUT_BYTES ? '' : Buffer.concat(chunks).toString('utf8'))
    }
    const timer = setTimeout(done, INPUT_LIMIT_MS)
    stdin.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_INPUT_BYTES) chunks.push(chunk)
    })
    stdin.once('end', done).once('error', reject)
  })
}

function post({ url, token }: Endpoint, terminal: string, report: AgentReport): Promise<void> {
  const body = JSON.stringify(report)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'tandem-hook'
  }
  const address = new URL(`/api/terminal/sessions/${encodeURIComponent(terminal)}/agent-state`, url)
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const asked = request(address, { method: 'POST', headers, agent: false, signal }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject)
    })
    asked.once('error', reject).end(body)
  })
}
