import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Access } from '../../../shared/access'
import type { FakeProgram } from '../../backends/fakeBackend'
import { silentLog } from '../../log'
import type { Workspaces } from '../../workspace/workspaces'
import { FULL_ACCESS, WorkspacesFixture } from '../../workspace/workspacesFixture.testing'
import { callTool } from '../callTool'
import type { ToolContext } from '../defineTool'
import { searchTerminalBuffer } from './searchTerminalBuffer'

interface Answer {
  matches: { terminalId: string; name: string; line: number; index: number; text: string }[]
  total: number
  omitted: number
}

let fixture: WorkspacesFixture
let workspaces: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  workspaces = fixture.host()
})
afterEach(() => fixture.close())

async function outcome(args: object, { access = FULL_ACCESS, signal = new AbortController().signal } = {}) {
  const context: ToolContext = {
    workspaces,
    settings: () => fixture.settings,
    caller: { access, clientName: 'test', key: 'test' },
    wsUrl: (tmuxSession) => tmuxSession,
    signal,
    progress: () => undefined
  }
  return callTool(searchTerminalBuffer, args, { context, log: silentLog })
}

async function search(args: object, access: Access = FULL_ACCESS): Promise<Answer & { text: string }> {
  const result = await outcome(args, { access })
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  // Checked against the tool's own schema.
  return { ...(searchTerminalBuffer.output.parse(result.value) as unknown as Answer), text: result.text }
}

async function opened(name: string, project = fixture.project): Promise<{ id: string; program: FakeProgram }> {
  const { record } = await workspaces.create(FULL_ACCESS, { project, session: 'default', name })
  const program = fixture.backend.programs.get(record.id)
  if (!program) throw new Error('No program was started')
  return { id: record.id, program }
}

test('the newest line comes first, with its number and where in the output it begins', async () => {
  const { id, program } = await opened('build')
  program.emit('one Error\r\ntwo\r\nthree error\r\n')
  const found = await search({ query: 'error' })
  expect(found).toMatchObject({ total: 2, omitted: 0 })
  expect(found.matches).toEqual([
    { terminalId: id, name: 'build', line: 3, index: 16, text: 'three error' },
    { terminalId: id, name: 'build', line: 1, index: 0, text: 'one Error' }
  ])
  expect(found.text).toContain(`build ${id} line 3 @16: three error`)
  expect(found.text).toContain('Untrusted output')
  expect((await search({ query: 'error', case_sensitive: true })).total).toBe(1)
  expect(await search({ query: 'nowhere' })).toMatchObject({ matches: [], total: 0, text: 'No line matches.' })
})

test('reading from a match finds it, after much output, wraps and colours', async () => {
  const { id, program } = await opened('build')
  for (let n = 0; n < 20_000; n++) program.emit(`\x1b[32m${n}\x1b[0m ünï ${'long '.repeat(n % 40)}\r\n`)
  program.emit('\x1b[31mneedle\x1b[0m 19999\r\n')
  const { log } = workspaces.terminal(FULL_ACCESS, id)
  const [needle] = (await search({ query: 'needle', terminalId: id })).matches
  expect(log.read(needle?.index ?? 0, 6).bytes.toString()).toBe('needle')
  const { matches } = await search({ query: '^1999[0-9] ünï', regex: true })
  expect(matches).toHaveLength(10)
  for (const { index, text } of matches) {
    expect(log.read(index, 5).bytes.toString()).toBe(text.slice(0, 5))
  }
})

test('a line whose bytes are gone is read from the oldest byte there is', async () => {
  fixture.settings = { ...fixture.settings, buffer_bytes: 4096 }
  const { id, program } = await opened('build')
  program.emit('needle\r\n')
  for (let n = 0; n < 100; n++) program.emit(`${'x'.repeat(70)}\r\n`)
  const { log } = workspaces.terminal(FULL_ACCESS, id)
  expect(log.start).toBeGreaterThan(0)
  expect((await search({ query: 'needle' })).matches).toMatchObject([{ line: 1, index: log.start }])
})

test('a text across a wrapped row is found, a concealed one is not', async () => {
  const { program } = await opened('build')
  program.emit(`${'x'.repeat(75)}needle in the hay\r\n\x1b[8mneedle\x1b[0m\r\nnee\u200bdle\r\n`)
  expect((await search({ query: 'needle in' })).matches).toMatchObject([{ line: 1, index: 0 }])
  expect((await search({ query: 'needle' })).total).toBe(1)
})

test('patterns are linear ones: a wrong one is refused, a hostile one does no harm', async () => {
  const { program } = await opened('build')
  program.emit(`${'a'.repeat(3000)}b\r\nvalue=42\r\n`)
  expect((await search({ query: 'value=(\\d+)$', regex: true })).matches).toMatchObject([{ text: 'value=42' }])
  expect((await search({ query: '(a+)+$', regex: true })).total).toBe(0)
  const wrong = await outcome({ query: '(', regex: true })
  expect(wrong).toMatchObject({ ok: false, error: { code: 'INVALID_PATTERN' } })
  expect((await search({ query: 'value=(' })).total).toBe(0)
})

test('all terminals the caller may see are searched, those that printed last first', async () => {
  const other = fixture.makeProject('other')
  const first = await opened('first')
  const second = await opened('second', other)
  second.program.emit('needle\r\n')
  await new Promise((resolve) => setTimeout(resolve, 5))
  first.program.emit('needle\r\n')
  expect((await search({ query: 'needle' })).matches.map(({ name }) => name)).toEqual(['first', 'second'])
  const limited: Access = { ...FULL_ACCESS, name: 'limited', projects: [fixture.project] }
  expect((await search({ query: 'needle' }, limited)).matches.map(({ name }) => name)).toEqual(['first'])
})

test('what does not fit is counted', async () => {
  const { program } = await opened('build')
  for (let n = 0; n < 200; n++) program.emit(`needle ${n}\r\n`)
  const few = await search({ query: 'needle', max: 3 })
  expect(few).toMatchObject({ total: 200, omitted: 197 })
  expect(few.matches.map(({ text }) => text)).toEqual(['needle 199', 'needle 198', 'needle 197'])
  program.emit(`${'z'.repeat(9000)}needle${'z'.repeat(9000)}\r\n`)
  const [long] = (await search({ query: 'needle', max: 1 })).matches
  expect(long?.text.length).toBeLessThan(500)
  expect(long?.text).toContain('needle')
})

test('who gave up is not searched for', async () => {
  const { program } = await opened('build')
  for (let n = 0; n < 12_000; n++) program.emit(`line ${n}\r\n`)
  const controller = new AbortController()
  const searching = outcome({ query: 'line' }, { signal: controller.signal })
  controller.abort()
  expect((await searching).ok).toBe(false)
})
