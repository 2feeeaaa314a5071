import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../log'
import type { Workspaces } from '../../workspace/workspaces'
import { FULL_ACCESS, WorkspacesFixture } from '../../workspace/workspacesFixture.testing'
import { callTool, type ToolOutcome } from '../callTool'
import type { ToolContext } from '../defineTool'
import { tools } from '../index'

let fixture: WorkspacesFixture
let workspaces: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  workspaces = fixture.host()
})
afterEach(() => fixture.close())

async function call(name: string, args: object = {}, access = FULL_ACCESS): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`No tool ${name}`)
  const context: ToolContext = {
    workspaces,
    settings: () => fixture.settings,
    caller: { access, clientName: 'test', key: 'test' },
    wsUrl: (tmuxSession) => tmuxSession,
    signal: new AbortController().signal,
    progress: () => undefined
  }
  const outcome = await callTool(tool, args, { context, log: silentLog })
  if (outcome.ok) tool.output.parse(outcome.value)
  return outcome
}

async function answer(name: string, args: object = {}) {
  const outcome = await call(name, args)
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`)
  return { ...outcome.value, markdown: outcome.text } as Record<string, unknown> & { markdown: string }
}

async function refused(name: string, args: object) {
  const outcome = await call(name, args)
  if (outcome.ok) throw new Error('It was not refused')
  return outcome.error
}

async function created(more: object = {}) {
  const { terminalId, name } = await answer('create_tracked_terminal', { cwd: fixture.project, ...more })
  const id = String(terminalId)
  const program = fixture.backend.programs.get(id)
  if (!program) throw new Error('No program was started')
  return { id, name: String(name), program }
}

test('the toolset is terse enough for its share of the list', () => {
  const listed = tools
    .filter(({ toolset }) => toolset === 'tracked')
    .map(({ name, title, description, annotations, input }) => ({
      name,
      title,
      description,
      annotations,
      inputSchema: z.toJSONSchema(input, { io: 'input' })
    }))
  expect(listed).toHaveLength(5)
  expect(JSON.stringify(listed).length / 4).toBeLessThan(1300)
})

describe('creating and listing', () => {
  test('a terminal is made where it belongs, under its default name, and says so', async () => {
    const { markdown, ...made } = await answer('create_tracked_terminal', { cwd: fixture.project })
    const { terminalId, tmuxSession } = made
    expect(made).toEqual({
      terminalId,
      name: 'Tracked Terminal',
      project: fixture.project,
      session: 'default',
      tmuxSession
    })
    expect(markdown).toBe(
      `✅ Created tracked terminal: **Tracked Terminal**\n\nTerminal ID: \`${terminalId}\`\n\nUse \`get_terminal_buffer\` to read output, or \`send_to_terminal\` to send commands.`
    )
    const json = await answer('create_tracked_terminal', { cwd: fixture.project, name: 'b', response_format: 'json' })
    expect(json.markdown).toContain('{\n  "terminalId": "')
  })

  test('a shell that is not there is refused, and nothing is left of it', async () => {
    for (const shellPath of ['/no/such/shell', 'nosuchshell', '', fixture.project, './sh']) {
      const error = await refused('create_tracked_terminal', { cwd: fixture.project, shellPath })
      expect(error.code).toBe('PROGRAM_NOT_FOUND')
    }
    expect(await answer('list_tracked_terminals')).toMatchObject({ terminals: [] })
    expect(fixture.backend.programs.size).toBe(0)
  })

  test('the list says of each what it is, and of a stopped one how it ended', async () => {
    const empty = await answer('list_tracked_terminals')
    expect(empty.markdown).toBe(
      '## Tracked Terminals\n\n_No tracked terminals. Use create_tracked_terminal to create one._'
    )
    const { id, program } = await created({ name: 'build' })
    await created({ name: 'test' })
    program.finish(3)
    const { terminals, markdown } = await answer('list_tracked_terminals')
    expect(terminals).toMatchObject([
      { id, name: 'build', shellPath: '/bin/sh', cwd: fixture.project, isRunning: false, exitCode: 3 },
      { name: 'test', isRunning: true, exitCode: null, createdAt: expect.any(Number), pid: expect.any(Number) }
    ])
    expect(markdown).toContain(
      `## Tracked Terminals\n\n### ⚫ build\n- **ID:** \`${id}\`\n- **Shell:** /bin/sh\n- **CWD:** ${fixture.project}\n`
    )
    expect(markdown).toContain('- **Exit Code:** 3\n')
    expect(markdown).toMatch(/### 🟢 test\n(- .*\n)*- \*\*PID:\*\* \d+\n/)
    expect(await answer('list_tracked_terminals', { runningOnly: true })).toMatchObject({
      terminals: [{ name: 'test' }]
    })
  })

  test('whoever made a terminal, it is listed and can be read', async () => {
    const key = { project: fixture.project, session: 'other' }
    const { record } = await workspaces.create(FULL_ACCESS, { ...key, name: 'by a person' })
    expect(await answer('list_tracked_terminals')).toMatchObject({
      terminals: [{ id: record.id, name: 'by a person', ...key, tmuxSession: record.tmuxSession }]
    })
    for (const terminalId of [record.id, `sess_${record.id.slice(0, 8)}`, record.tmuxSession]) {
      expect(await answer('get_terminal_buffer', { terminalId })).toMatchObject({ output: '', terminalId: record.id })
    }
  })
})

describe('reading', () => {
  test('an empty buffer says so, and a full one is a code block that output cannot close', async () => {
    const { id, program } = await created({ name: 'build' })
    const empty = await answer('get_terminal_buffer', { terminalId: id })
    expect(empty).toMatchObject({ output: '', inputHistory: [], commands: [], omitted: 0 })
    expect(empty.markdown).toContain('### Output\n```\n(no output)\n```')
    program.emit('a ``` b\r\n')
    const { markdown } = await answer('get_terminal_buffer', { terminalId: id, includeMetadata: true })
    expect(markdown).toContain(`## Terminal: build\n- **CWD:** ${fixture.project}\n- **Status:** 🟢 Running\n`)
    expect(markdown).toContain('### Output\n````\na ``` b\r\n\n````')
    expect(markdown).toContain('Untrusted output')
  })

  test('raw by default, as it looks when asked, as one text or as the chunks it came in', async () => {
    const { id, program } = await created()
    for (const chunk of ['\x1b[31mred\x1b[0m\r\n', '10%\r', '20%\r\n', 'last \x1b[8mhidden\x1b[0m']) program.emit(chunk)
    const read = async (more: object) => (await answer('get_terminal_buffer', { terminalId: id, ...more })).output
    expect(await read({})).toBe('\x1b[31mred\x1b[0m\r\n10%\r20%\r\nlast \x1b[8mhidden\x1b[0m')
    expect(await read({ stripAnsi: true })).toBe('red\n20%\nlast ⟨6 hidden characters⟩')
    expect(await read({ asString: false, lastN: 2 })).toEqual(['20%\r\n', 'last \x1b[8mhidden\x1b[0m'])
    expect(await read({ asString: false, stripAnsi: true })).toEqual([
      'red\n',
      '10%',
      '20%\n',
      'last ⟨6 hidden characters⟩'
    ])
    expect(await read({ lastN: 1 })).toBe('last \x1b[8mhidden\x1b[0m')
    expect((await refused('get_terminal_buffer', { terminalId: id, lastN: 0 })).code).toBe('INVALID_ARGUMENTS')
  })

  test('a chunk that conceals goes on concealing in the next', async () => {
    const { id, program } = await created()
    for (const chunk of ['\x1b[8mone', 'two\x1b[0m', 'three']) program.emit(chunk)
    const { output } = await answer('get_terminal_buffer', { terminalId: id, asString: false, stripAnsi: true })
    expect(output).toEqual(['⟨3 hidden characters⟩', '⟨3 hidden characters⟩', 'three'])
  })

  test('of too much the end is kept, and what is missing is counted', async () => {
    const { id, program } = await created()
    program.emit('x'.repeat(50_000))
    program.emit('END')
    const long = await answer('get_terminal_buffer', { terminalId: id })
    expect(long.omitted).toBe(10_003)
    expect(String(long.output)).toHaveLength(40_000)
    expect(String(long.output).endsWith('END')).toBe(true)
    const short = await answer('get_terminal_buffer', { terminalId: id, max_chars: 5, asString: false })
    expect(short).toMatchObject({ output: ['xx', 'END'], omitted: 49_998 })
    expect(await answer('get_terminal_buffer', { terminalId: id, max_chars: 60_000 })).toMatchObject({ omitted: 0 })
  })

  test('a buffer holds a megabyte and ten thousand chunks', async () => {
    const { id, program } = await created()
    for (let n = 0; n < 10_050; n++) program.emit(`${n}\n`)
    const many = await answer('get_terminal_buffer', { terminalId: id, asString: false, max_chars: 1_000_000 })
    expect(many.output).toHaveLength(10_000)
    for (let n = 0; n < 20; n++) program.emit('y'.repeat(65_536))
    const much = await answer('get_terminal_buffer', { terminalId: id, max_chars: 1_000_000 })
    expect(String(much.output).length + Number(much.omitted)).toBe(1_048_576)
  })

  test('the newest ten commands are shown, with nothing unseen in them', async () => {
    const { id, program } = await created()
    for (let n = 1; n <= 12; n++) {
      await answer('send_to_terminal', { terminalId: id, text: `echo ${n} \u202e` })
      program.emit(`echo ${n} \u202e\r\n`)
    }
    const { inputHistory, markdown } = await answer('get_terminal_buffer', { terminalId: id })
    expect(inputHistory).toHaveLength(12)
    expect(inputHistory).toContain('echo 1 ⟨U+202E⟩')
    expect(markdown).toContain('\n\n### Command History\n- `echo 3 ⟨U+202E⟩`\n')
    expect(markdown).not.toContain('- `echo 2 ')
  })
})

describe('sending', () => {
  test('text is typed and Enter pressed, unless it is not wanted', async () => {
    const { id, program } = await created()
    const sent = await answer('send_to_terminal', { terminalId: id, text: 'ls -l' })
    expect(sent).toMatchObject({ success: true, terminalId: id, text: 'ls -l' })
    expect(sent.markdown).toBe(`✅ Sent to terminal \`${id}\`:\n\`\`\`\nls -l\n\`\`\``)
    await answer('send_to_terminal', { terminalId: id, text: 'y', addNewline: false })
    await answer('send_to_terminal', { terminalId: id, text: '' })
    expect(program.heard).toEqual(['ls -l\r', 'y', '\r'])
    expect((await refused('send_to_terminal', { terminalId: id, text: '', addNewline: false })).code).toBe('NO_INPUT')
  })

  test('a program that has ended is not typed to', async () => {
    const { id, program } = await created()
    program.finish(7)
    expect((await refused('send_to_terminal', { terminalId: id, text: 'x' })).code).toBe('PROCESS_EXITED')
    expect((await call('get_terminal_buffer', { terminalId: id })).ok).toBe(true)
  })
})

describe('a terminal that is not there', () => {
  test('an unknown one is named, and where to look', async () => {
    for (const name of ['get_terminal_buffer', 'send_to_terminal', 'search_terminal_buffer']) {
      const more = name === 'send_to_terminal' ? { text: 'x' } : name === 'search_terminal_buffer' ? { query: 'x' } : {}
      expect(await refused(name, { terminalId: 'nope', ...more })).toEqual({
        code: 'SESSION_NOT_FOUND',
        message: 'Terminal nope not found. Use list_tracked_terminals to see available terminals.'
      })
    }
  })

  test('a closed one is said to be closed', async () => {
    const { id } = await created()
    await workspaces.closeByHandle(FULL_ACCESS, id, { wait: true })
    expect((await refused('get_terminal_buffer', { terminalId: id })).code).toBe('SESSION_DESTROYED')
    expect((await refused('send_to_terminal', { terminalId: id, text: 'x' })).code).toBe('SESSION_DESTROYED')
  })
})
