import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AgentShell, type Reading } from '../harness/agentShell'
import { count, LIMIT_MS } from '../harness/counts'
import { until } from '../harness/waiting'

let shell: AgentShell
let gates = 0
beforeEach(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterEach(() => shell.stop(), LIMIT_MS)

interface Gate {
  path: string
  /** Waits for the gate, leaves a sign behind it, and ends with 9. */
  command: string
  open(): void
  passed(): Promise<unknown>
}

function gate(): Gate {
  const path = join(shell.world.root, `gate-${++gates}`)
  return {
    path,
    command: `while ! test -e ${path}; do sleep 0.05; done; touch ${path}-passed; echo late; sh -c 'exit 9'`,
    open: () => writeFileSync(path, ''),
    passed: () => until(() => existsSync(`${path}-passed`), { what: 'the command to pass its gate' })
  }
}

async function ended(id: string, command_id: string): Promise<Reading> {
  return until(
    async () => {
      const reading = await shell.read(id, { command_id })
      return reading.command?.running === false ? reading : undefined
    },
    { what: 'the end of the command' }
  )
}

const WAYS: [string, (id: string) => Promise<unknown>, string][] = [
  ['bash', async () => undefined, 'bash'],
  ['dash', async () => undefined, '/bin/dash'],
  ['dash inside bash', (id) => shell.run(id, "PS1='$ ' dash", { timeout: 1 }), 'bash']
]

describe.each(WAYS)('a host is killed while a command runs in %s', { timeout: LIMIT_MS }, (_, enter, program) => {
  test('the next one knows the command, who ran it and when it ends, with its code', async () => {
    const id = await shell.open(program)
    await enter(id)
    for (let round = 0; round < count({ small: 2, full: 25 }); round++) {
      const { command, open } = gate()
      const { command_id } = await shell.run(id, command, { async: true })
      await shell.crash()
      expect(await shell.read(id, { command_id })).toMatchObject({
        running: true,
        command: { running: true, exit_code: null, duration_ms: null }
      })
      expect(await shell.refusal('execute_shell', { terminal_id: id, command: 'true' })).toMatch(/^TERMINAL_BUSY: /)
      open()
      const reading = await ended(id, command_id)
      expect(reading.command).toMatchObject({ exit_code: 9, duration_ms: expect.any(Number) })
      const printed = reading.chunks.map(({ data }) => data).join('')
      expect(printed).toContain('late')
      expect(printed).not.toContain('7777')
      expect(await shell.run(id, 'echo after', { queue: true })).toMatchObject({ output: 'after', exit_code: 0 })
    }
    const { commands } = await shell.call('get_terminal_buffer', { terminalId: id })
    const known = commands as { command: string; exit_code: number | null }[]
    const codes = known.filter(({ command }) => command.startsWith('while')).map(({ exit_code }) => exit_code)
    expect(codes.every((code) => code === 9)).toBe(true)
  })

  test('a command that ended meanwhile is over, with nothing made up about it', async () => {
    const id = await shell.open(program)
    await enter(id)
    const { command, open, passed } = gate()
    const { command_id } = await shell.run(id, command, { async: true })
    await shell.crash(async () => {
      open()
      await passed()
    })
    expect((await ended(id, command_id)).command).toMatchObject({ exit_code: null, duration_ms: null })
    expect(await shell.run(id, 'echo after', { queue: true })).toMatchObject({ output: 'after', exit_code: 0 })
  })
})
