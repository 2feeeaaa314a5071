import { afterAll, beforeAll, expect, test } from 'vitest'
import { PtyAgent } from '../harness/ptyAgent'
import { makeWorld, Tandem, type World } from '../harness/tandem'

let world: World
let tandem: Tandem
let agent: PtyAgent
let shell: string

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world, ['--max-sessions', '2'])
  agent = await PtyAgent.connect(tandem)
  shell = await agent.create({ cwd: world.project })
})
afterAll(async () => {
  await agent.close()
  await tandem.end('SIGKILL')
  await world.remove()
})

test('each refusal has its code, and its message says what was wrong', async () => {
  const session_id = shell
  const refusals: [string, object, RegExp][] = [
    ['send', { session_id }, /^NO_INPUT: No input provided \(need text or key\)/],
    ['send', { session_id, text: '' }, /^NO_INPUT: /],
    ['send', { session_id, text: 'a', key: 'b' }, /^INVALID_ARGUMENTS: /],
    ['send', { session_id, key: 'hyper' }, /^INVALID_KEY: Invalid key: hyper/],
    ['send', { session_id, mouse: { row: 1, col: 1 } }, /^INVALID_ARGUMENTS: The program does not listen to the mouse/],
    ['send', { session_id, text: 'x', colour: 1 }, /^INVALID_ARGUMENTS: Unknown argument "colour"/],
    ['read', { session_id, wait_for: '(' }, /^INVALID_PATTERN: /],
    ['read', { session_id: 'sess_00000000' }, /^SESSION_NOT_FOUND: Session not found: "sess_00000000"/],
    ['read', { session_id, view: 'all' }, /^INVALID_ARGUMENTS: /],
    ['resize', { session_id, rows: 0, cols: 80 }, /^INVALID_ARGUMENTS: /],
    ['resize', { session_id, rows: 100_000, cols: 80 }, /^INVALID_ARGUMENTS: /],
    ['create_session', { program: 'no-such-program' }, /^PROGRAM_NOT_FOUND: Program not found: "no-such-program"/],
    ['create_session', { cwd: '/no/such/place' }, /^INVALID_ARGUMENTS: /],
    ['create_session', { rows: 0 }, /^INVALID_ARGUMENTS: /]
  ]
  for (const [tool, args, text] of refusals) expect(await agent.refusal(tool, { ...args })).toMatch(text)
})

test('the limit of sessions counts those that run, and a destroyed one is known as that', async () => {
  const second = await agent.create({ program: 'sleep', args: ['600'], cwd: world.project })
  expect(await agent.refusal('create_session')).toMatch(/^MAX_SESSIONS: Maximum sessions reached \(2\)/)
  expect(await agent.call('get_info', { session_id: second })).toMatchObject({
    program: expect.stringContaining('sleep'),
    args: ['600'],
    name: 'sleep',
    exited: false
  })
  expect(await agent.call('destroy_session', { session_id: second, force: true })).toMatchObject({
    destroyed: true,
    exit_code: null
  })
  for (const tool of ['read', 'get_info', 'destroy_session']) {
    expect(await agent.refusal(tool, { session_id: second })).toMatch(/^SESSION_DESTROYED: Session already destroyed: /)
  }
  expect(await agent.refusal('send', { session_id: second, text: 'x' })).toMatch(/^SESSION_DESTROYED: /)
  const third = await agent.create({ program: 'sh', args: ['-c', 'kill -9 $$'], cwd: world.project })
  const end = await agent.exits(third)
  expect(end).toMatchObject({ exited: true, exit_code: null, signal: 'SIGKILL' })
  expect(await agent.refusal('send', { session_id: third, text: 'x' })).toMatch(/^PROCESS_EXITED: Process has exited/)
  await agent.call('destroy_session', { session_id: third })
})

test('a pattern that other engines never finish is answered, and the host serves others meanwhile', async () => {
  await agent.run(shell, `printf 'a%.0s' $(seq 30000); echo b`)
  const slow = agent.read(shell, { wait_for: '(a+)+$', cursor: 0, timeout_ms: 3000 })
  expect(await agent.call('get_info', { session_id: shell })).toMatchObject({ exited: false })
  expect((await slow).fired).toMatch(/match|timeout/)
})

test('a shell that shows no prompt in time is there all the same, with a warning', async () => {
  const env = { PS1: '', PROMPT_COMMAND: '' }
  const created = await agent.call('create_session', {
    program: 'dash',
    env,
    ready_timeout_ms: 200,
    cwd: world.project
  })
  expect(created.warnings).toEqual([expect.objectContaining({ code: 'WAIT_TIMEOUT' })])
  await agent.call('destroy_session', { session_id: created.session_id, force: true })
})

test('a line that is longer than the system keeps is not said to be sent', async () => {
  const id = await agent.create({ program: 'cat', cwd: world.project })
  const sent = await agent.call('send', { session_id: id, text: `${'x'.repeat(5000)}\n` })
  expect(sent).toMatchObject({ sent: false, bytes: 5001, accepted_bytes: 4096, warnings: [{ code: 'IO_ERROR' }] })
  await agent.call('destroy_session', { session_id: id, force: true })
})

test('ten megabytes of text are refused by their size before anything is typed', async () => {
  const text = 'x'.repeat(10_000_000)
  await expect(agent.answer('send', { session_id: shell, text })).rejects.toThrow(/PAYLOAD_TOO_LARGE/)
  expect((await agent.read(shell, { view: 'screen' })).content).not.toContain('xxxx')
  expect((await agent.run(shell, 'echo fi""ne')).content).toContain('fine')
})
