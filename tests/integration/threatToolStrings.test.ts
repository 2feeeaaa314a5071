import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { hostileTexts } from '../harness/threats/metacharacters'
import { type StringParameter, stringParametersOf } from '../harness/threats/stringParameters'
import { TOOL_SAMPLES } from '../harness/toolSamples'
import { until } from '../harness/waiting'
import { type Created, WorkspaceClient } from '../harness/workspace'

// Text that would be a command if anybody took it for one, in every string of every tool.

const RECORDER = fileURLToPath(new URL('../harness/threats/recorder.mjs', import.meta.url))

let world: World
let tandem: Tandem
let client: McpClient
let terminal: Created
let texts: fc.Arbitrary<string>
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  terminal = await work.create('kept')
  texts = hostileTexts(join(world.root, 'canary'))
})
afterAll(async () => {
  await client.close()
  await tandem.end('SIGTERM')
  await world.remove()
})

const canaries = () =>
  [world.root, world.home, world.project, '/'].flatMap((path) =>
    readdirSync(path).filter((name) => name.startsWith('canary'))
  )

/** Paths stay below a directory that is not there, and without a way up: nothing may be made outside this world. */
const PATHS = /\.(project|cwd)$/
const nowhere = (text: string) => join(world.root, 'nowhere', text.replaceAll('.', ''))
/** These start something where the text is good: a few of them with each text, all of them in turn. */
const STARTS = /create|open_new|execute/

async function tryText({ tool, name, with: withText }: StringParameter, text: string): Promise<void> {
  const sample = TOOL_SAMPLES[tool]?.({ project: world.project, session: 'work', terminal }) ?? {}
  const waits = tool === 'terminal__read' ? { timeout_ms: 100 } : {}
  const answer = await client.call(tool, withText({ ...sample, ...waits }, PATHS.test(name) ? nowhere(text) : text))
  const said = answer.content[0]?.text ?? ''
  expect(said, `${name} ${JSON.stringify(text)}`).not.toMatch(/^INTERNAL/)
  const made =
    answer.structuredContent?.session_id ??
    answer.structuredContent?.terminal_id ??
    answer.structuredContent?.terminalId
  if (!answer.isError && STARTS.test(tool) && typeof made === 'string' && !made.endsWith(terminal.id.slice(0, 8)))
    await client.call('terminal__destroy_session', { session_id: made })
}

test('every string of every tool is refused or taken for what it is, and runs nothing', {
  timeout: LIMIT_MS
}, async () => {
  const all = (await client.listTools()).flatMap(stringParametersOf)
  // Of each toolset there are some, or the list says nothing.
  for (const name of ['terminal__create_session.program', 'terminal__create_session.args', 'open_new_terminal.shell'])
    expect(all.map((one) => one.name)).toContain(name)
  for (const name of ['search_terminal_buffer.query', 'execute_shell.env value', 'create_tracked_terminal.cwd'])
    expect(all.map((one) => one.name)).toContain(name)
  // What ends or renames the terminal by its own handle is tried with other texts in its place.
  const [starting, plain] = [all.filter(({ tool }) => STARTS.test(tool)), all.filter(({ tool }) => !STARTS.test(tool))]
  let turn = 0
  const run = fc.asyncProperty(texts, async (text) => {
    await Promise.all(plain.map((one) => tryText(one, text)))
    for (const one of [starting[turn++ % starting.length], starting[turn++ % starting.length]])
      if (one) await tryText(one, text)
  })
  const small = Math.ceil(starting.length / 2)
  await fc.assert(run, { numRuns: count({ small, full: 10_000 }), endOnFailure: true })
  expect((await work.find(terminal.id))?.state).toBe('running')
  expect(canaries()).toEqual([])
})

/** Words that one program is given. */
const WORDS = 10

test('words and variables of a program reach it byte for byte, and run nothing', { timeout: LIMIT_MS }, async () => {
  const sample = fc.sample(texts, count({ small: 80, full: 10_000 }))
  for (let index = 0; index < sample.length; index += WORDS) {
    const words = sample.slice(index, index + WORDS).map((text) => Buffer.from(text.replaceAll('\0', '')).toString())
    const args = ['-c', 'read line', 'zero', ...words]
    const env = Object.fromEntries(words.map((word, number) => [`GIVEN${number}`, word]))
    const given = { program: '/bin/sh', args, cwd: world.project, env }
    const { structuredContent, content } = await client.call('terminal__create_session', given)
    const pid = structuredContent?.pid
    expect(pid, JSON.stringify([words, content])).toBeTypeOf('number')
    const of = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
    await until(() => of('cmdline')[0] === '/bin/sh', { what: 'the program' })
    expect(of('cmdline').slice(1, -1)).toEqual(args)
    expect(of('environ')).toEqual(expect.arrayContaining(words.map((word, number) => `GIVEN${number}=${word}`)))
    await client.call('terminal__destroy_session', { session_id: String(structuredContent?.session_id) })
  }
  expect(canaries()).toEqual([])
})

test('what an agent types arrives byte for byte by either tool, and runs nothing', { timeout: LIMIT_MS }, async () => {
  const out = join(world.root, 'typed.bin')
  const program = { program: process.execPath, args: [RECORDER, out], cwd: world.project }
  const { structuredContent } = await client.call('terminal__create_session', program)
  const id = String(structuredContent?.id)
  await client.call('terminal__read', { session_id: id, wait_for: 'recording-now' })
  const typed = fc.sample(texts, count({ small: 50, full: 10_000 })).filter((text) => text !== '')
  const sent: string[] = []
  for (const text of [...typed, 'THE-END']) {
    const send = ['terminal__send', { session_id: id, text, bracketed_paste: false }] as const
    const toTracked = ['send_to_terminal', { terminalId: id, text, addNewline: false }] as const
    for (const call of text === 'THE-END' ? [send] : [send, toTracked]) {
      const answer = await client.call(call[0], call[1])
      expect(answer.isError, JSON.stringify([call, answer.content])).toBeFalsy()
      sent.push(text)
    }
  }
  await client.call('terminal__read', { session_id: id, wait_for_exit: true })
  expect(readFileSync(out).equals(Buffer.concat(sent.map((text) => Buffer.from(text))))).toBe(true)
  expect(canaries()).toEqual([])
})
