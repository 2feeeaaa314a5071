import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../log'
import type { Workspaces } from '../workspace/workspaces'
import { FULL_ACCESS, WorkspacesFixture } from '../workspace/workspacesFixture.testing'
import { callTool } from './callTool'
import { TOOLSETS, type ToolContext } from './defineTool'
import { describeIssues } from './describeIssues'
import { tools, toolsOf } from './index'

let fixture: WorkspacesFixture
let workspaces: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  workspaces = fixture.host()
})

afterEach(() => fixture.close())

function context(more: Partial<ToolContext> = {}): ToolContext {
  const caller = { access: FULL_ACCESS, clientName: 'test', key: 'test' }
  const wsUrl = (tmuxSession: string) => `ws://127.0.0.1:1/ws?arg=${tmuxSession}`
  return {
    workspaces,
    settings: () => workspaces.settings,
    caller,
    wsUrl,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more
  }
}

function toolNamed(name: string) {
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`No tool ${name}`)
  return tool
}

async function call(name: string, more: object = {}, where: Partial<ToolContext> = {}) {
  const tool = toolNamed(name)
  const rawArguments = { project: fixture.project, session: 'default', ...more }
  const result = await callTool(tool, rawArguments, { context: context(where), log: silentLog })
  if (result.ok) tool.output.parse(result.value)
  return result
}

async function value(
  name: string,
  more: object = {},
  where: Partial<ToolContext> = {}
): Promise<Record<string, unknown>> {
  const result = await call(name, more, where)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('the tools as clients see them', () => {
  test('their texts and shapes are what was agreed', () => {
    const printed = tools.map(({ name, toolset, title, description, scope, annotations, input, output }) => ({
      name,
      toolset,
      title,
      description,
      scope,
      annotations,
      input: z.toJSONSchema(input, { io: 'input' }),
      output: z.toJSONSchema(output)
    }))
    expect(printed).toMatchSnapshot()
  })

  test.each([
    ['collab', 1200],
    ['pty', 2500]
  ] as const)('%s is terse enough for its share of the list', (toolset, tokens) => {
    const listed = toolsOf([toolset]).map(({ name, title, description, annotations, input }) => ({
      name,
      title,
      description,
      annotations,
      inputSchema: z.toJSONSchema(input, { io: 'input' })
    }))
    expect(JSON.stringify(listed).length / 4).toBeLessThan(tokens)
  })

  test('every one states all four hints, refuses unknown arguments and has room for warnings', () => {
    for (const { annotations, input, output } of tools) {
      expect(Object.keys(annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint'
      ])
      expect(z.toJSONSchema(input, { io: 'input' })).toMatchObject({ additionalProperties: false })
      expect(output.shape).toHaveProperty('warnings')
    }
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })

  test('they can be chosen by set, and by whether they only read', () => {
    expect(toolsOf(TOOLSETS)).toEqual(tools)
    expect(toolsOf(['pty'], { readOnly: true }).map(({ name }) => name)).toEqual([
      'terminal__list_sessions',
      'terminal__read',
      'terminal__get_info'
    ])
    expect(toolsOf(['collab'], { readOnly: true }).map(({ name }) => name)).toEqual(['terminal_list_sessions'])
  })
})

describe('collab', () => {
  test('creates, lists, renames, reorders and kills, with exactly the agreed answers', async () => {
    const created = await value('terminal_create_session', { name: 'build' })
    const { id, tmuxSession } = created
    expect(created).toEqual({ id, tmuxSession, wsUrl: `ws://127.0.0.1:1/ws?arg=${tmuxSession}` })
    const second = await value('terminal_create_session')
    expect(await value('terminal_rename_session', { id: tmuxSession, name: ' test ' })).toEqual({ success: true })
    expect(await value('terminal_reorder_sessions', { orderedIds: [second.id, id] })).toEqual({ success: true })
    expect(await value('terminal_list_sessions')).toMatchObject({
      sessions: [
        { id: second.id, name: 'Terminal 2', order: 0 },
        { id, name: 'test', order: 1, state: 'running', backend: 'tmux', exitCode: null, pid: expect.any(Number) }
      ]
    })
    expect(await value('terminal_kill_session', { id })).toEqual({ success: true })
    expect(await value('terminal_kill_session', { id })).toEqual({ success: false })
    expect(await value('terminal_rename_session', { id, name: 'x' })).toEqual({ success: false })
  })

  test('says the same in short text', async () => {
    const created = await value('terminal_create_session', { name: 'build' })
    expect(toolNamed('terminal_create_session').text?.(created)).toContain(String(created.id))
    const listed = await value('terminal_list_sessions')
    const text = toolNamed('terminal_list_sessions').text?.(listed) ?? ''
    for (const fact of [created.id, created.tmuxSession, '"build"', 'running', fixture.project])
      expect(text).toContain(fact)
    expect(toolNamed('terminal_list_sessions').text?.({ sessions: [] })).toContain('terminal_create_session')
    const warnings = [{ code: 'STORE_CORRUPT' as const, message: 'kept aside' }]
    expect(toolNamed('terminal_kill_session').text?.({ success: true, warnings })).toContain(
      'STORE_CORRUPT: kept aside'
    )
  })

  test('a list too long for one text says how much is missing', async () => {
    const { record } = await workspaces.create(FULL_ACCESS, {
      project: fixture.project,
      session: 'default',
      name: 'x'.repeat(256)
    })
    const text =
      toolNamed('terminal_list_sessions').text?.({ sessions: Array.from({ length: 200 }, () => record) }) ?? ''
    expect(text.length).toBeLessThan(40_000)
    const shown = text.split('\n').length - 1
    expect(text).toContain(`${200 - shown} more terminals`)
  })

  test('warnings travel with the answer', async () => {
    await value('terminal_create_session')
    fixture.writeStore('broken')
    expect(await value('terminal_list_sessions')).toMatchObject({
      sessions: [{}],
      warnings: [{ code: 'STORE_CORRUPT' }]
    })
  })

  test('repeats with an idempotency key make one terminal', async () => {
    const first = await value('terminal_create_session', {}, { idempotencyKey: 'k' })
    expect(await value('terminal_create_session', {}, { idempotencyKey: 'k' })).toEqual(first)
    expect(fixture.backend.programs.size).toBe(1)
  })

  test('a token without the scope is told what it has', async () => {
    const caller = { access: { ...FULL_ACCESS, name: 'reader', scopes: ['read'] as const }, clientName: '', key: '' }
    for (const name of [
      'terminal_create_session',
      'terminal_kill_session',
      'terminal_rename_session',
      'terminal_reorder_sessions'
    ]) {
      const result = await call(name, {}, { caller })
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'UNAUTHORIZED', message: expect.stringContaining('"reader"') }
      })
    }
    expect((await call('terminal_list_sessions', {}, { caller })).ok).toBe(true)
  })
})

describe('arguments that are not right', () => {
  test.each([
    [{ name: 5 }, '"name" must be a string, got the number "5"'],
    [{ name: null }, '"name" must be a string, got null'],
    [{ project: undefined }, '"project" is missing'],
    [{ colour: 'red' }, 'Unknown argument "colour"'],
    [{ a: 1, b: 2 }, 'Unknown argument "a"; Unknown argument "b"'],
    [{ session: ['x'] }, '"session" must be a string, got the list "[\\"x\\"]"']
  ])('%j is refused by name and value', async (more, message) => {
    const result = await call('terminal_create_session', more)
    expect(result).toEqual({
      ok: false,
      error: { code: 'INVALID_ARGUMENTS', message, hint: 'Arguments: project, session, name (optional).' }
    })
    expect(fixture.backend.programs.size).toBe(0)
  })

  test('a list with a wrong element names its place', async () => {
    const result = await call('terminal_reorder_sessions', { orderedIds: ['a', 7] })
    expect(result).toMatchObject({ error: { message: '"orderedIds.1" must be a string, got the number "7"' } })
  })

  test.each([[], 'text', 7, null])('%j instead of an object is refused', async (rawArguments) => {
    const result = await callTool(toolNamed('terminal_list_sessions'), rawArguments, {
      context: context(),
      log: silentLog
    })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('must be an object') }
    })
  })

  test('a huge value is cut in the message, with its length', async () => {
    const result = await call('terminal_list_sessions', { session: 'x'.repeat(100_000) })
    if (result.ok) throw new Error('It was not refused')
    expect(result.error.message.length).toBeLessThan(500)
    expect(result.error.message).toContain('100000 characters')
  })

  test('of very many troubles the first few are told, and how many more there are', async () => {
    const place = { project: '/', session: 'x' }
    const ids = await call('terminal_reorder_sessions', { ...place, orderedIds: Array(10_000).fill(0) })
    const names = await call('terminal_list_sessions', { ...place, ...Object.fromEntries(Array(9000).entries()) })
    if (ids.ok || names.ok) throw new Error('It was not refused')
    expect(ids.error.message).toMatch(/^"orderedIds\.0" must be a string.*"orderedIds\.4".*; and 9995 more$/)
    expect(names.error.message).toMatch(/^Unknown argument "0".*"4"; and 8995 more$/)
  })

  test('a check without reported input still names the field', () => {
    const schema = z.strictObject({ a: z.string() })
    const wrong = schema.safeParse({ a: 1 })
    expect(wrong.error && describeIssues(wrong.error, schema).message).toBe('"a" must be a string')
    const missing = schema.safeParse({})
    expect(missing.error && describeIssues(missing.error, schema).message).toBe('"a" is missing')
  })

  test('a fault of our own is coded and logged, with its cause', async () => {
    const logged: object[] = []
    const broken = { ...toolNamed('terminal_list_sessions'), run: () => Promise.reject(new Error('oops')) }
    const log = { ...silentLog, error: (fields: object) => void logged.push(fields) }
    const result = await callTool(broken, { project: '/', session: 'x' }, { context: context(), log })
    expect(result).toEqual({ ok: false, error: { code: 'INTERNAL', message: 'oops' } })
    expect(logged).toMatchObject([{ tool: 'terminal_list_sessions', err: { message: 'oops' } }])
  })
})
