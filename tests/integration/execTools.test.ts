import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentShell } from '../harness/agentShell'
import { count, LIMIT_MS } from '../harness/counts'
import { TtydClient } from '../harness/ttydClient'
import { until } from '../harness/waiting'

let shell: AgentShell

beforeAll(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterAll(() => shell.stop(), LIMIT_MS)

async function text(terminal: string, from = 0): Promise<string> {
  return (await shell.read(terminal, { since_index: from })).chunks.map(({ data }) => data).join('')
}

describe('running', { timeout: LIMIT_MS }, () => {
  test('a person watching sees what an agent sees, and what they type is refused to nobody but agents', async () => {
    const id = await shell.open()
    await shell.run(id, 'true')
    const [{ tmuxSession }] = (await shell.call('list_terminals', {})).terminals as [{ tmuxSession: string }]
    const person = await TtydClient.connect(`${shell.tandem.ready.wsUrl}?arg=${tmuxSession}`, {
      headers: { authorization: `Bearer ${shell.tandem.ready.token}` }
    })
    person.type('x')
    const refusal = await until(async () => {
      const answer = await shell.client.call('execute_shell', { terminal_id: id, command: 'echo agent' })
      return answer.isError ? answer.content[0]?.text : undefined
    })
    expect(refusal).toContain('HUMAN_HAS_CONTROL')
    // What they left half typed is no part of the agent's command.
    const answer = await until(
      async () => {
        const { isError, structuredContent } = await shell.client.call('execute_shell', {
          terminal_id: id,
          command: 'echo agent'
        })
        return isError ? undefined : structuredContent
      },
      { limitMs: 60_000 }
    )
    expect(answer).toMatchObject({ output: 'agent', exit_code: 0 })
    person.close()
    await shell.call('close_terminal', { terminal_id: id })
  })

  test('a busy terminal says what runs; queue waits its turn; async answers at once', async () => {
    const id = await shell.open()
    const started = await shell.run(id, 'sleep 2; echo done', { async: true })
    expect(Object.keys(started).sort()).toEqual(['command_id', 'next_index'])
    const busy = await shell.refusal('execute_shell', { terminal_id: id, command: 'true' })
    expect(busy).toMatch(/^TERMINAL_BUSY: .*sleep 2; echo done/)
    expect(await shell.read(id, { command_id: started.command_id })).toMatchObject({
      running: true,
      exit_code: null,
      command: { running: true, exit_code: null }
    })
    expect(await shell.run(id, 'echo queued', { queue: true })).toMatchObject({ output: 'queued' })
    const { command } = await shell.read(id, { command_id: started.command_id })
    expect(command).toMatchObject({ running: false, exit_code: 0, duration_ms: expect.any(Number) })
    expect(await text(id, started.next_index)).toMatch(/sleep 2; echo done[\s\S]*done\r\n/)
    await shell.call('close_terminal', { terminal_id: id })
  })

  test('a program that is no shell is typed to, and what it says is told as it is', async () => {
    const { id } = await shell.call('terminal__create_session', { program: 'python3', args: ['-q'] })
    const handle = String(id)
    await until(async () => (await text(handle)).includes('>>>'))
    const answer = await shell.run(handle, 'print(6 * 7)')
    expect(answer).toMatchObject({ running: true, exit_code: null, timed_out: false })
    expect(answer.output).toContain('42')
    await shell.call('close_terminal', { terminal_id: handle })
  })

  test('python and TypeScript run with what the terminal has', async () => {
    const id = await shell.open()
    await shell.run(id, 'export TEST_TMP=ok')
    const python = await shell.call('execute_python', {
      terminal_id: id,
      code: "import os\nprint(1+1)\nprint(os.environ['TEST_TMP'])"
    })
    expect(python).toMatchObject({ output: '2\nok', exit_code: 0 })
    const failing = await shell.call('execute_python', { terminal_id: id, code: 'import nope' })
    expect(failing).toMatchObject({ exit_code: 1, output: expect.stringMatching(/^Traceback[\s\S]*No module named/) })
    const code =
      "import { sep } from 'node:path'\nenum E { A = 3 }\nconst v: number = E.A\nconsole.log(v, sep, process.env.TEST_TMP)"
    const typescript = await shell.call('execute_typescript', { terminal_id: id, code })
    expect(typescript).toMatchObject({ output: '3 / ok', exit_code: 0 })
    expect(await shell.refusal('execute_typescript', { terminal_id: id, code: 'let = =' })).toContain(
      'INVALID_ARGUMENTS'
    )
    const folder = join(shell.world.project, '.collab/default/scripts')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    await shell.call('close_terminal', { terminal_id: id })
  })
})

describe.each([['dash'], ['busybox']])('in %s, which tells nothing by itself', { timeout: LIMIT_MS }, (program) => {
  test('commands end when they end, and nobody sees how that is known', async () => {
    const outer = await shell.open(program === 'dash' ? '/bin/dash' : undefined)
    if (program === 'busybox') {
      await shell.run(outer, 'busybox sh', { timeout: 2, env: { PS1: '$ ' } })
    }
    for (let round = 0; round < count({ small: 2, full: 50 }); round++) {
      expect(await shell.run(outer, 'echo x; (exit 3)')).toMatchObject({ output: 'x', exit_code: 3, running: false })
    }
    expect(await shell.run(outer, 'sleep 1; echo SLOW')).toMatchObject({ output: 'SLOW', exit_code: 0 })
    expect(await shell.run(outer, 'X=5; cat <<END\n$X\nEND')).toMatchObject({ output: '5' })
    expect(await shell.run(outer, 'echo $X [$ONCE]', { env: { ONCE: 'now' } })).toMatchObject({ output: '5 [now]' })
    expect(await shell.run(outer, 'echo [$ONCE]')).toMatchObject({ output: '[]' })
    expect(await shell.refusal('execute_shell', { terminal_id: outer, command: 'echo "open' })).toContain(
      'incomplete command'
    )
    expect(await shell.run(outer, 'echo usable')).toMatchObject({ output: 'usable' })
    expect(await text(outer)).not.toMatch(/printf|7777/)
    await shell.call('close_terminal', { terminal_id: outer })
  })
})

describe('reading', { timeout: LIMIT_MS }, () => {
  test('goes on after the end and after closing; then nothing else does', async () => {
    const id = await shell.open()
    const { command_id } = await shell.run(id, 'echo last words')
    const sleeper = await shell.run(id, 'nohup sleep 600 & echo $!')
    const pid = Number(/\d+$/.exec(sleeper.output)?.[0])
    expect(await shell.call('close_terminal', { terminal_id: id })).toEqual({ closed: true })
    const kept = await shell.read(id, { command_id })
    expect(kept).toMatchObject({ closed: true, running: false, command: { exit_code: 0 } })
    expect(kept.chunks.map(({ data }) => data).join('')).toContain('last words')
    expect(await shell.refusal('execute_shell', { terminal_id: id, command: 'true' })).toContain('SESSION_DESTROYED')
    expect(await shell.call('close_terminal', { terminalId: id })).toEqual({ closed: true })
    expect(await shell.refusal('close_terminal', { terminal_id: 'sess_00000000' })).toContain('SESSION_NOT_FOUND')
    const listed = (await shell.call('list_terminals', {})).terminals as { terminal_id: string }[]
    expect(listed.map(({ terminal_id }) => terminal_id)).not.toContain(id)
    await until(() => !isAlive(pid), { what: 'the end of every process' })
  })
})

describe('what is refused', { timeout: LIMIT_MS }, () => {
  test('a command without a terminal says what to call first', async () => {
    for (const [tool, args] of [
      ['execute_shell', { command: 'true' }],
      ['execute_python', { code: '1' }],
      ['execute_typescript', { code: '1' }]
    ] as const) {
      expect(await shell.refusal(tool, args)).toMatch(/^INVALID_ARGUMENTS: "terminal_id" .*open_new_terminal/)
    }
  })

  test('shells that are not there, directories outside the project, handles nobody knows', async () => {
    const { project } = shell.world
    expect(await shell.refusal('open_new_terminal', { project, shell: '/no/such' })).toContain('PROGRAM_NOT_FOUND')
    mkdirSync(join(project, 'inside'))
    symlinkSync('/', join(project, 'out'))
    for (const cwd of ['/', join(project, 'out')]) {
      expect(await shell.refusal('open_new_terminal', { project, cwd })).toContain('OUTSIDE_PROJECT')
    }
    const id = await shell.open(undefined, {
      session_id: 'list',
      cwd: join(project, 'inside'),
      env: { A_B: 'c d' },
      name: 'mine'
    })
    expect(await shell.run(id, 'echo "$A_B in $PWD"')).toMatchObject({ output: `c d in ${join(project, 'inside')}` })
    const { terminals, count: listed } = await shell.call('list_terminals', { project, session_id: 'list' })
    expect(terminals).toMatchObject([
      { terminal_id: id, name: 'mine', session_id: 'list', project, closed: false, exit_code: null }
    ])
    expect(listed).toBe(1)
    expect(JSON.stringify(terminals)).not.toContain('c d')
    expect(await shell.refusal('execute_shell', { terminal_id: 'nobody', command: 'true' })).toContain(
      'SESSION_NOT_FOUND'
    )
    expect(await shell.refusal('read_terminal_output', { terminal_id: id, command_id: 'cmd_x' })).toContain('cmd_x')
    for (const env of [{ 'A;echo B': '1' }, { 'A=B': '1' }, { A: 'x\0y' }]) {
      const args = { terminal_id: id, command: 'true', env }
      expect(await shell.refusal('execute_shell', args)).toMatch(/^INVALID_ARGUMENTS: env: /)
    }
    expect(await shell.refusal('open_new_terminal', { project, ephemeral: true })).toContain('ephemeral')
    await shell.call('close_terminal', { terminal_id: id })
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ESRCH') return false
    throw failure
  }
}
