import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentShell, SHELLS } from '../harness/agentShell'
import { count, LIMIT_MS } from '../harness/counts'
import { TtydClient } from '../harness/ttydClient'
import { until } from '../harness/waiting'

/** A host at rest takes a tenth of this; one that kept the flood would need more. */
const MAX_HOST_KB = 600_000
let shell: AgentShell

beforeAll(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterAll(() => shell.stop(), LIMIT_MS)

/** A tab in which a person types all the time; returns how they stop, once they see what they typed last. */
async function typedInto(program: string): Promise<() => Promise<void>> {
  const args = { program, cwd: shell.world.project, wait_ready: false }
  const { session_id, tmuxSession } = await shell.call('terminal__create_session', args)
  const person = await TtydClient.connect(`${shell.tandem.ready.wsUrl}?arg=${tmuxSession}`, {
    headers: { authorization: `Bearer ${shell.tandem.ready.token}` }
  })
  let line = 0
  const timer = setInterval(() => person.type(`echo line ${++line}\r`), 25)
  return async () => {
    clearInterval(timer)
    await until(async () => {
      const { content } = await shell.call('terminal__read', { session_id, view: 'screen' })
      return String(content).includes(`line ${line}\n`)
    })
    person.close()
    await shell.call('terminal__destroy_session', { session_id, force: true })
  }
}

async function text(terminal: string): Promise<string> {
  return (await shell.read(terminal)).chunks.map(({ data }) => data).join('')
}

describe.each(SHELLS)('in %s', { timeout: LIMIT_MS }, (name) => {
  const isFish = name === 'fish'
  const opened = async (use: (id: string) => Promise<void>): Promise<void> => {
    const id = await shell.open(name)
    await use(id)
    await shell.call('close_terminal', { terminal_id: id })
  }

  test('many terminals at once get each its own answer, while a person types in other tabs', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => shell.open(name)))
    const rounds = Array.from({ length: count({ small: 3, full: 200 }) })
    const tabs = await Promise.all([typedInto('bash'), typedInto('cat')])
    const wrong = await Promise.all(
      ids.map(async (id, index) => {
        let failures = 0
        for (const _ of rounds) {
          const fails = isFish ? `sh -c "exit ${index}"` : `(exit ${index})`
          const { output, exit_code } = await shell.run(id, `echo ${index}; ${fails}`)
          if (output !== `${index}` || exit_code !== index) failures++
        }
        return failures
      })
    )
    expect(wrong).toEqual(ids.map(() => 0))
    for (const stop of tabs) await stop()
    await Promise.all(ids.map((terminal_id) => shell.call('close_terminal', { terminal_id })))
  })

  test('a reader of input and a full-screen program are told as running; the person can answer', async () => {
    await opened(async (id) => {
      expect(await shell.run(id, 'read answer; echo "got $answer"', { timeout: 1 })).toMatchObject({ running: true })
      await shell.call('terminal__send', { session_id: id, text: 'yes\r' })
      await until(async () => (await text(id)).includes('got yes'))
      const less = await shell.run(id, 'seq 1 500 | less', { timeout: 1.5, queue: true })
      expect(less).toMatchObject({ running: true, timed_out: true, exit_code: null })
      await shell.call('terminal__send', { session_id: id, text: 'q' })
      expect(await shell.run(id, 'echo after', { queue: true })).toMatchObject({ output: 'after' })
    })
  })

  test('a traceback comes whole', async () => {
    await opened(async (id) => {
      const { output, exit_code } = await shell.run(id, "python3 -c 'import nope'")
      expect(output).toMatch(
        /^Traceback \(most recent call last\):\n[\s\S]*\nModuleNotFoundError: No module named 'nope'$/
      )
      expect(exit_code).toBe(1)
    })
  })

  test.skipIf(isFish)('here-documents are read as they stand', async () => {
    await opened(async (id) => {
      expect(await shell.run(id, 'X=5; cat <<END\n$X  "it\'s"\n\n!!\nEND')).toMatchObject({
        output: '5  "it\'s"\n\n!!'
      })
      expect(await shell.run(id, "cat <<'END' | tr a b; (exit 2)\na $X\nEND")).toMatchObject({
        output: 'b $X',
        exit_code: 2
      })
      const open = { terminal_id: id, command: 'cat <<END\nnever closed' }
      expect(await shell.refusal('execute_shell', open)).toContain('INVALID_ARGUMENTS: incomplete command')
      expect(await shell.run(id, 'echo usable')).toMatchObject({ output: 'usable', exit_code: 0 })
    })
  })

  test('another shell in its place is told honestly, and commands run in it', async () => {
    await opened(async (id) => {
      const replaced = await shell.run(id, 'exec bash --norc', { timeout: 10 })
      expect(replaced.exit_code).toBeNull()
      expect(await shell.run(id, 'echo still; (exit 4)')).toMatchObject({ output: 'still', exit_code: 4 })
    })
  })

  test.skipIf(isFish)('set -e ends it with the first command that fails', async () => {
    await opened(async (id) => {
      await shell.run(id, 'set -e')
      expect(await shell.run(id, 'echo kept')).toMatchObject({ output: 'kept', exit_code: 0 })
      expect(await shell.run(id, 'false')).toMatchObject({ exit_code: 1, closed: true })
    })
  })

  test('by index nothing is lost or doubled, whatever the pages', async () => {
    await opened(async (id) => {
      const answer = await shell.run(id, 'seq 1 20000')
      expect([answer.exit_code, answer.omitted > 0]).toEqual([0, true])
      let rest = ''
      let next = answer.next_index
      for (;;) {
        const page = await shell.read(id, { since_index: next, max_bytes: 10_000 })
        if (page.next_index === next) break
        rest += page.chunks.map(({ data }) => data).join('')
        next = page.next_index
      }
      const all = `${answer.output}${rest}`.replaceAll('\r', '').split('\n')
      const expected = Array.from({ length: 20_000 }, (_, index) => `${index + 1}`)
      expect(all.slice(0, 20_000)).toEqual(expected)
      const whole = await shell.run(id, 'seq 1 20000', { max_chars: 1_000_000 })
      expect([whole.omitted, whole.output]).toEqual([0, expected.join('\n')])
    })
  })

  test('bytes that are no text come as base64, between text that stays text', async () => {
    await opened(async (id) => {
      const before = await shell.run(id, 'true')
      await shell.run(id, String.raw`sh -c 'printf "a\303\251\000\377b"'`)
      const { chunks } = await shell.read(id, { since_index: before.next_index })
      const at = chunks.findIndex(({ encoding }) => encoding === 'base64')
      expect(chunks[at]).toMatchObject({ data: Buffer.from([0, 255]).toString('base64') })
      expect(chunks[at - 1]?.data.endsWith('aé')).toBe(true)
      expect(chunks[at + 1]?.data.startsWith('b')).toBe(true)
      for (const [index, chunk] of chunks.slice(1).entries()) {
        const { index: start, data, encoding } = chunks[index] ?? { index: 0, data: '', encoding: 'utf8' }
        expect(chunk.index).toBe(start + Buffer.from(data, encoding as BufferEncoding).length)
      }
    })
  })

  test('of a flood the newest megabyte is kept, the rest is counted, the exit code is right', async () => {
    await opened(async (id) => {
      const megabytes = count({ small: 5, full: 600 })
      const line = `yes 0123456789 | head -c ${megabytes}000000; sh -c 'exit 5'`
      const flood = await shell.run(id, line, { timeout: 20, max_chars: 100 })
      const { command, dropped, dropped_exact, chunks } = await until(
        async () => {
          const reading = await shell.read(id, { command_id: flood.command_id })
          return reading.command?.running === false ? reading : undefined
        },
        { limitMs: LIMIT_MS, what: 'the end of the flood' }
      )
      expect(command?.exit_code).toBe(5)
      expect(memoryOf(shell.tandem.ready.pid)).toBeLessThan(MAX_HOST_KB)
      expect(flood.output.startsWith('0123456789\n')).toBe(true)
      // What a host that fell far behind never heard cannot be counted, and it says so.
      expect(dropped).toBeGreaterThan(dropped_exact ? (megabytes - 2) * 1_000_000 : 0)
      expect(chunks.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThanOrEqual(40_000)
    })
  })
})

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
