import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../src/core/tools/index'
import { mcpInstructions } from '../../src/server/strings'
import { Transcript, withTranscript } from '../harness/agents/transcript'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { TtydClient } from '../harness/ttydClient'
import { until } from '../harness/waiting'

// Every transcript in docs/agents.md is run here as it stands. With TANDEM_WRITE_DOCS=1 the page gets what was seen.

const PAGE = fileURLToPath(new URL('../../docs/agents.md', import.meta.url))
const LIMIT_MS = 180_000

let world: World
let tandem: Tandem
let client: McpClient

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token, clientName: 'guide' })
})
afterAll(async () => {
  await client.close()
  await tandem.end('SIGTERM')
  await world.remove()
})

type Scenario = (transcript: Transcript) => Promise<void>

async function openShell(transcript: Transcript): Promise<unknown> {
  const opened = await transcript.call('terminal__create_session', { program: '/bin/bash', cwd: world.project })
  return opened.session_id
}

/** A person at the keyboard of a terminal, in a window of their own. */
async function personTypes(handle: unknown, text: string): Promise<TtydClient> {
  const url = `${tandem.ready.wsUrl}?arg=${handle}`
  const person = await TtydClient.connect(url, { headers: { authorization: `Bearer ${tandem.ready.token}` } })
  person.type(text)
  return person
}

const SCENARIOS: Record<string, Scenario> = {
  async command(transcript) {
    const { terminal_id } = await transcript.call('open_new_terminal', { project: world.project })
    const enter = 'mkdir -p site && cd site && export STAGE=test'
    await transcript.call('execute_shell', { terminal_id, command: enter })
    await transcript.call('execute_shell', {
      terminal_id,
      command: 'echo "$STAGE in $(basename $PWD)"; test -d missing'
    })
    await transcript.call('execute_shell', { terminal_id, command: 'echo "no end' })
    await transcript.call('execute_shell', { terminal_id, command: 'sleep 60', async: true })
    await transcript.call('execute_shell', { terminal_id, command: 'ls' })
    await transcript.call('close_terminal', { terminal_id })
  },

  async long(transcript) {
    const session_id = await openShell(transcript)
    const text = 'for i in 1 2 3; do echo "step $i"; sleep 1; done; echo built'
    const read = { wait_for_prompt: true, timeout_ms: 30_000 }
    await transcript.call('terminal__send', { session_id, text, submit: true, read })
    await transcript.call('search_terminal_buffer', { query: 'step 2', terminalId: session_id, max: 1 })
  },

  async asking(transcript) {
    const script = 'read -p "Delete the old build? [y/N] " answer; echo "You said $answer"'
    const program = { program: '/bin/bash', args: ['-c', script], cwd: world.project }
    const { session_id } = await transcript.call('terminal__create_session', program)
    await transcript.call('terminal__read', { session_id, wait_for: 'y/N' })
    await transcript.call('terminal__send', { session_id, text: 'n', submit: true, read: { wait_for_exit: true } })
  },

  async keyboard(transcript) {
    const session_id = await openShell(transcript)
    const person = await personTypes(session_id, 'git sta')
    transcript.note('somebody begins to type "git sta" in the window')
    await until(() => person.output.includes('git sta'))
    await transcript.call('terminal__send', { session_id, text: 'git status', submit: true })
    person.close()
  },

  async refusals(transcript) {
    const session_id = await openShell(transcript)
    await transcript.call('terminal__send', { session_id })
    await transcript.call('terminal__send', { session_id, text: 'exit 3', submit: true, read: { wait_for_exit: true } })
    await transcript.call('terminal__send', { session_id, text: 'ls', submit: true })
    await transcript.call('terminal__destroy_session', { session_id })
    await transcript.call('terminal__read', { session_id })
  }
}

describe('docs/agents.md', () => {
  test.each(Object.entries(SCENARIOS))(
    'the transcript "%s" is what happens',
    { timeout: LIMIT_MS },
    async (name, run) => {
      const transcript = new Transcript(client, world)
      await run(transcript)
      const page = readFileSync(PAGE, 'utf8')
      const now = withTranscript(page, name, String(transcript))
      if (process.env.TANDEM_WRITE_DOCS) writeFileSync(PAGE, now)
      else expect(page).toBe(now)
    }
  )

  test('speaks only of tools that there are, and so do the instructions', () => {
    const looksLikeTool = /\b(?:terminal__?|open_|execute_|read_|list_|close_|create_|get_|send_|search_)[a-z_]+\b/g
    const names = new Set(tools.map(({ name }) => name))
    for (const text of [readFileSync(PAGE, 'utf8'), mcpInstructions]) {
      const named = [...text.matchAll(looksLikeTool)].map(([name]) => name)
      expect(named.filter((name) => !names.has(name) && !FIELDS.includes(name))).toEqual([])
    }
  })
})

/** Arguments that look like tools. */
const FIELDS = ['terminal_id']
