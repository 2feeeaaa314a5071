import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentShell, SHELLS } from '../harness/agentShell'
import { count, LIMIT_MS } from '../harness/counts'
import { until } from '../harness/waiting'

/** The last two take the ways of an older bash: one without a sign before a command, one without our way into its line. */
const KINDS = [
  ...SHELLS.map((name) => ({ kind: name, name, env: {} })),
  { kind: 'bash 4.3', name: 'bash', env: { TANDEM_SHELL_VERSION: '403' } },
  { kind: 'bash 3.2', name: 'bash', env: { TANDEM_SHELL_VERSION: '302' } }
]
let shell: AgentShell

beforeAll(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterAll(() => shell.stop(), LIMIT_MS)

describe.each(KINDS)('commands in $kind', { timeout: LIMIT_MS }, ({ name, env }) => {
  let id: string
  const open = () => shell.open(name, { env })
  beforeAll(async () => {
    id = await open()
  }, LIMIT_MS)

  test('answer exactly what they printed, and their exit code, every time', async () => {
    for (let round = 0; round < count({ small: 5, full: 200 }); round++) {
      expect(await shell.run(id, "echo x; sh -c 'exit 3'")).toMatchObject({
        output: 'x',
        exit_code: 3,
        running: false,
        timed_out: false,
        omitted: 0,
        closed: false
      })
    }
  })

  test.skipIf(name === 'fish')('that are a subshell, a function or nonsense answer what they print', async () => {
    expect(await shell.run(id, '(echo sub; exit 4)')).toMatchObject({ output: 'sub', exit_code: 4 })
    expect(await shell.run(id, 'f() { echo in f; }')).toMatchObject({ output: '', exit_code: 0 })
    expect(await shell.run(id, 'f; echo after')).toMatchObject({ output: 'in f\nafter', exit_code: 0 })
    const nonsense = await shell.run(id, 'echo )')
    expect([nonsense.output, nonsense.exit_code !== 0]).toEqual([expect.stringMatching(/error.*\)/), true])
  })

  test('are over when they are over, whatever they print', async () => {
    const slow = `sleep ${count({ small: 1, full: 3 })}; echo SLOW`
    for (let round = 0; round < count({ small: 1, full: 20 }); round++) {
      expect(await shell.run(id, slow)).toMatchObject({ output: 'SLOW', exit_code: 0, running: false })
    }
    const seconds = count({ small: 1, full: 5 })
    const fake = String.raw`printf '\033]133;D;0\007\033]133;A\007$ '; sleep ${seconds}; echo SLOW`
    const { output, exit_code } = await shell.run(id, fake)
    expect([output.endsWith('SLOW'), exit_code]).toEqual([true, 0])
    const late = await shell.run(id, 'sleep 3; echo LATE', { timeout: 0.5 })
    expect(late).toMatchObject({ running: true, timed_out: true, exit_code: null, output: '' })
    const { command, chunks } = await until(async () => {
      const reading = await shell.read(id, { since_index: late.next_index, command_id: late.command_id })
      return reading.command?.running === false ? reading : undefined
    })
    expect(command?.exit_code).toBe(0)
    expect(chunks[0]?.data).toMatch(/^LATE\r\n/)
  })

  test('keep what they changed; env holds for one call only', async () => {
    await shell.run(id, 'export TEST_TMP=ok; cd /')
    expect(await shell.run(id, 'echo $TEST_TMP')).toMatchObject({ output: 'ok', cwd: '/' })
    expect(await shell.run(id, 'echo "[$ONCE]"; env | grep -c ONCE', { env: { ONCE: "it's 1" } })).toMatchObject({
      output: "[it's 1]\n1"
    })
    expect(await shell.run(id, 'echo "[$ONCE]"')).toMatchObject({ output: '[]' })
    const two = await shell.run(id, 'echo 1 $TEST_TMP\necho 2 $TEST_TMP', { env: { TEST_TMP: 'for now' } })
    expect(two.output).toBe('1 for now\n2 for now')
    expect(await shell.run(id, 'echo $TEST_TMP')).toMatchObject({ output: 'ok' })
  })

  test('may have quotes, several lines, background jobs, pipes and characters that shells expand', async () => {
    expect(await shell.run(id, `echo "it's" 'a "b"!' !! end!`)).toMatchObject({
      output: `it's a "b"! !! end!`,
      exit_code: 0
    })
    expect(await shell.run(id, 'echo one\n\necho two\nfalse')).toMatchObject({ output: 'one\ntwo', exit_code: 1 })
    expect(await shell.run(id, 'printf "a\\tb\\n" | tr a c')).toMatchObject({ output: 'c\tb' })
    expect((await shell.run(id, 'sleep 0.2 &\nwait\necho waited')).output).toContain('waited')
  })

  test('that are incomplete are cancelled, and the terminal can be used', async () => {
    for (const command of ['echo "open', "echo 'open"]) {
      const refusal = await shell.refusal('execute_shell', { terminal_id: id, command })
      expect(refusal).toContain('INVALID_ARGUMENTS: incomplete command')
      expect(await shell.run(id, 'echo fine')).toMatchObject({ output: 'fine', exit_code: 0 })
    }
  })

  test('that were cancelled leave nothing behind for the next line, whoever types it', async () => {
    await shell.run(id, 'echo before')
    await shell.refusal('execute_shell', { terminal_id: id, command: 'echo "left open' })
    await shell.call('terminal__send', { session_id: id, text: 'echo typed', submit: true })
    const newest = await until(async () => {
      const { commands } = await shell.call('get_terminal_buffer', { terminalId: id })
      const all = commands as { command: string; exit_code: number | null }[]
      return all.at(-1)?.exit_code === 0 && all.at(-1)?.command !== 'echo before' ? all.at(-1) : undefined
    })
    expect(newest).toMatchObject({ command: 'echo typed', exit_code: 0 })
  })

  // An older bash cannot number its history without asking it; fish asks git for its own prompt.
  test.skipIf(!existsSync('/proc/self/stat') || Object.keys(env).length > 0 || name === 'fish')(
    'that start no process need none to be told about',
    async () => {
      const { terminals } = await shell.call('list_terminals', {})
      const { pid } = (terminals as { terminal_id: string; pid: number }[]).find((one) => one.terminal_id === id) ?? {}
      await shell.run(id, 'cd /')
      const before = childFaults(pid)
      for (const command of ['true', 'cd /tmp', 'true; true', 'cd / # %']) await shell.run(id, command)
      expect(childFaults(pid)).toBe(before)
    }
  )

  test('answer as a person saw it: a progress bar is one line, a cleared screen is empty', async () => {
    const bar = String.raw`sh -c 'for i in $(seq 1 200); do printf "\r%3d%%" $i; done; echo'`
    expect((await shell.run(id, bar)).output.trim()).toBe('200%')
    expect(await shell.run(id, 'clear')).toMatchObject({ output: '', exit_code: 0 })
  })

  test('of a megabyte run', async () => {
    const long = await shell.run(id, `echo ${'x'.repeat(1_000_000)} | wc -c`)
    expect([long.output.trim(), long.exit_code]).toEqual(['1000001', 0])
  })

  test('look as if somebody had typed them, and are all that is in the history', async () => {
    const fresh = await open()
    const commands = ['echo first', 'echo "second!"']
    for (const command of commands) await shell.run(fresh, command)
    const { chunks } = await shell.read(fresh)
    const seen = chunks.map(({ data }) => data).join('')
    expect(seen).not.toMatch(/tandem_|133;/)
    const history = await shell.run(fresh, name === 'fish' ? 'history | head -2' : 'history | tail -3')
    const lines = history.output.split('\n').map((line) => line.replace(/^\s*\d*\s*/, ''))
    expect(lines.filter((line) => !line.startsWith('history')).sort()).toEqual([...commands].sort())
    await shell.call('close_terminal', { terminal_id: fresh })
  })

  test.skipIf(name !== 'bash')('are in the history as often as the user wants', async () => {
    const fresh = await open()
    await shell.run(fresh, 'HISTCONTROL=ignoreboth')
    for (const command of ['echo one\necho two', 'echo same', 'echo same', ' echo hidden'])
      await shell.run(fresh, command)
    const { output } = await shell.run(fresh, 'history | tail -5')
    const lines = output.split('\n').map((line) => line.replace(/^\s*\d*\s*/, ''))
    expect(lines).toEqual(['HISTCONTROL=ignoreboth', 'echo one', 'echo two', 'echo same', 'history | tail -5'])
    await shell.call('close_terminal', { terminal_id: fresh })
  })

  test('that end the shell say so', async () => {
    const exits = await open()
    expect(await shell.run(exits, 'exit 7')).toMatchObject({ exit_code: 7, closed: true, running: false })
    expect(await shell.refusal('execute_shell', { terminal_id: exits, command: 'true' })).toContain('PROCESS_EXITED')
    const killed = await open()
    const pid = name === 'fish' ? '$fish_pid' : '$$'
    expect(await shell.run(killed, `kill -9 ${pid}`)).toMatchObject({
      exit_code: null,
      signal: 'SIGKILL',
      closed: true
    })
    for (const terminal_id of [exits, killed]) await shell.call('close_terminal', { terminal_id })
  })
})

/** Page faults of the processes that this one started and that have ended: none without any. */
function childFaults(pid: number | undefined): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8]
}
