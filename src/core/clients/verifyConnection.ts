import { spawn } from 'node:child_process'
import type { BridgeCommand } from './agentClients'

const LIMIT_MS = 30_000
/** What the trial calls itself: not an agent. */
export const TRIAL_NAME = 'tandem-setup'
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: TRIAL_NAME, version: '1' }
}

/** Starts what a client would start and asks it for its tools, as the client will; how many there are, or undefined. */
export function verifyConnection(
  { command, args }: BridgeCommand,
  environment: NodeJS.ProcessEnv
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
    const done = (tools: number | undefined) => {
      clearTimeout(timer)
      child.kill('SIGTERM')
      resolve(tools)
    }
    const timer = setTimeout(() => done(undefined), LIMIT_MS)
    let text = ''
    child.once('error', () => done(undefined))
    child.once('exit', () => done(undefined))
    child.stdin.on('error', () => done(undefined))
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const tools = toolsIn(text)
      if (tools !== undefined) done(tools)
    })
    const messages = [
      { id: 1, method: 'initialize', params: HELLO },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' }
    ]
    child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  })
}

function toolsIn(text: string): number | undefined {
  for (const line of text.split('\n').slice(0, -1)) {
    const answer = parsed(line)
    if (answer?.id === 2 && Array.isArray(answer.result?.tools)) return answer.result.tools.length
  }
  return undefined
}

function parsed(line: string): { id?: unknown; result?: { tools?: unknown } } | undefined {
  try {
    // Whatever it is, only these fields are looked at, each for its type.
    return JSON.parse(line) as { id?: unknown; result?: { tools?: unknown } }
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}
