import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentShell, SHELLS } from '../harness/agentShell'
import { LIMIT_MS } from '../harness/counts'
import { until } from '../harness/waiting'

let shell: AgentShell
beforeAll(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterAll(() => shell.stop(), LIMIT_MS)

async function opened(first: string, use: (id: string) => Promise<void>): Promise<void> {
  const id = await shell.open(first)
  await use(id)
  await shell.call('close_terminal', { terminal_id: id })
}

/** Shells that tell nothing about themselves, in the place of the terminal's own: which one, then the line that leads there. */
const UNTOLD: [title: string, first: string, line: string | undefined][] = [
  ['dash', '/bin/dash', undefined],
  ['bash in the place of bash', 'bash', 'exec bash --norc'],
  ['zsh in the place of bash', 'bash', 'exec zsh -f'],
  ['fish in the place of bash', 'bash', 'exec fish -N'],
  ['bash in the place of fish', 'fish', 'exec bash --norc'],
  ['dash in the place of zsh', 'zsh', "export PS1='$ '; exec dash"]
]

describe.each(UNTOLD)('a command that ends %s', { timeout: LIMIT_MS }, (title, first, line) => {
  const isFish = title.startsWith('fish')
  const inside = (use: (id: string) => Promise<void>) =>
    opened(first, async (id) => {
      if (line !== undefined) await shell.run(id, line)
      await until(async () => (await shell.run(id, 'echo ready', { queue: true })).output === 'ready')
      await use(id)
    })

  test('answers its code, and that the shell is closed', async () => {
    await inside(async (id) => {
      const end = await shell.run(id, 'echo a; exit 7')
      expect(end).toMatchObject({ exit_code: 7, closed: true, running: false })
      expect(end.output).toMatch(/^a(\nexit)?$/)
      expect((await shell.read(id, { command_id: end.command_id })).command).toMatchObject({ exit_code: 7 })
    })
    await inside(async (id) => expect(await shell.run(id, 'exec false')).toMatchObject({ exit_code: 1, closed: true }))
  })

  test('answers the signal', async () => {
    await inside(async (id) => {
      const end = await shell.run(id, `kill -9 ${isFish ? '$fish_pid' : '$$'}`)
      expect(end).toMatchObject({ exit_code: null, signal: 'SIGKILL', closed: true, running: false })
    })
  })

  test.skipIf(isFish)('by set -e says so, too', async () => {
    await inside(async (id) => {
      await shell.run(id, 'set -e')
      expect(await shell.run(id, 'echo kept')).toMatchObject({ output: 'kept', exit_code: 0, closed: false })
      expect(await shell.run(id, 'false')).toMatchObject({ exit_code: 1, closed: true, running: false })
    })
  })
})

test('a command that ends a shell inside another is over with an unknown code, and the terminal is not', async () => {
  await opened('bash', async (id) => {
    await shell.run(id, "PS1='$ ' dash", { timeout: 1 })
    const end = await shell.run(id, 'echo in; exit 7', { queue: true })
    expect(end).toMatchObject({ output: 'in', exit_code: null, closed: false, running: false })
    expect(end).toMatchObject({ warnings: [{ message: expect.stringContaining('exit code is not known') }] })
    expect(await shell.run(id, 'echo out')).toMatchObject({ output: 'out', exit_code: 0 })
  })
})

const REFUSED: Record<(typeof SHELLS)[number], [command: string, output: RegExp][]> = {
  bash: ['fi', 'done', ')', '}', ';;', '|'].map((line) => [
    line,
    said('bash: syntax error near unexpected token', line)
  ]),
  zsh: ['fi', 'done', ')', '}', ';;', '|'].map((line) => [line, said('zsh: parse error near', line)]),
  fish: [
    ['end', /^fish: 'end' outside of a block$/],
    ['echo x; (exit 3)', /^fish: command substitutions not allowed here\necho x; \(exit 3\)\n +\^~+\^$/],
    ['echo {a', /^fish: Unexpected end of string.*\necho \{a\n +\^$/],
    ['|', /^fish: Expected a string, but found a pipe$/],
    ['echo one\nend', /^fish: 'end' outside of a block\nend\n\^~\^$/]
  ]
}

function said(complaint: string, line: string): RegExp {
  return new RegExp(`^${complaint} \`${line.replace(/[)}|]/g, '\\$&')}'$`)
}

describe.each(SHELLS)('a line in %s', { timeout: LIMIT_MS }, (name) => {
  let id: string
  beforeAll(async () => {
    id = await shell.open(name)
  }, LIMIT_MS)
  afterAll(() => shell.call('close_terminal', { terminal_id: id }))

  test.each(REFUSED[name])('that makes no sense answers what the shell says about it: %j', async (command, output) => {
    const refused = await shell.run(id, command)
    expect([refused.exit_code === 0, refused.running, refused.closed]).toEqual([false, false, false])
    expect(refused.output).toMatch(output)
    expect(await shell.run(id, 'echo fine')).toMatchObject({ output: 'fine', exit_code: 0 })
  })

  test('that is blank is refused', async () => {
    for (const command of ['   ', '\n\t\n']) {
      expect(await shell.refusal('execute_shell', { terminal_id: id, command })).toMatch(/^INVALID_ARGUMENTS: .*blank/)
    }
  })

  test('that ends with a backslash is incomplete, unless that is quoted', async () => {
    for (const command of ['echo a\\', 'echo a \\\\\\']) {
      const refusal = await shell.refusal('execute_shell', { terminal_id: id, command })
      expect(refusal).toContain('INVALID_ARGUMENTS: incomplete command')
    }
    expect(await shell.run(id, 'printf "[%s]" a\\\\')).toMatchObject({ output: '[a\\]', exit_code: 0 })
    expect(await shell.run(id, 'printf "[%s]" a\\ ')).toMatchObject({ output: '[a ]', exit_code: 0 })
  })

  test('that shows nothing of itself answers as any other', async () => {
    await opened(name, async (silent) => {
      await shell.run(silent, 'stty -echo')
      expect(await shell.run(silent, "echo one; sh -c 'exit 3'")).toMatchObject({
        output: 'one',
        exit_code: 3,
        command_id: expect.stringContaining('cmd_')
      })
      expect(await shell.run(silent, 'seq 3')).toMatchObject({ output: '1\n2\n3', exit_code: 0 })
      const [refused = '', output = /^$/] = REFUSED[name][0] ?? []
      expect((await shell.run(silent, refused)).output).toMatch(output)
    })
  })

  test('that is followed by what a background job prints answers its own output', async () => {
    const { output, exit_code } = await shell.run(id, 'sh -c "sleep 0.5; echo late" & true')
    expect([output.includes('late'), exit_code]).toEqual([false, 0])
    await until(async () => (await shell.read(id)).chunks.some(({ data }) => data.includes('late\r\n')))
    expect(await shell.run(id, 'echo next')).toMatchObject({ output: 'next', exit_code: 0 })
  })
})

test('lines of bash after one that made no sense run, and all of them answer', { timeout: LIMIT_MS }, async () => {
  await opened('bash', async (id) => {
    const lines = await shell.run(id, 'echo one\nfi')
    expect(lines).toMatchObject({ output: expect.stringMatching(/^one\nbash: syntax error.*`fi'$/), exit_code: 2 })
    await shell.run(id, "bind 'set enable-bracketed-paste off'")
    expect(await shell.run(id, ')')).toMatchObject({ output: expect.stringMatching(/^bash: .*`\)'$/), exit_code: 2 })
    await shell.run(id, 'false')
    const nothing = { output: '', exit_code: null, running: false, warnings: [{ code: 'SESSION_ERROR' }] }
    expect(await shell.run(id, '# nothing')).toMatchObject(nothing)
  })
})

const WITHOUT_HOOKS: [shell: string, line: string][] = [
  ['bash', 'unset PROMPT_COMMAND'],
  ['bash', 'PROMPT_COMMAND=true'],
  ['bash', 'PROMPT_COMMAND=(true true)'],
  ['bash', 'unset PROMPT_COMMAND PS0'],
  ['zsh', 'precmd_functions=()'],
  ['zsh', 'precmd_functions=(); preexec_functions=()']
]

test.each(WITHOUT_HOOKS)('%s after "%s" tells as before', { timeout: LIMIT_MS }, async (name, line) => {
  await opened(name, async (id) => {
    for (const command of ['fi', 'echo "open', 'echo b']) {
      expect(await shell.run(id, `echo a; ${line}; sh -c "exit 4"`)).toMatchObject({ output: 'a', exit_code: 4 })
      const { isError, structuredContent, content } = await shell.client.call('execute_shell', {
        terminal_id: id,
        command
      })
      if (command === 'echo b') expect(structuredContent).toMatchObject({ output: 'b', exit_code: 0, running: false })
      else if (command === 'fi') expect(structuredContent?.output).toMatch(/error near .*`fi'$/)
      else expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('incomplete command')])
    }
    expect(await shell.run(id, "echo c; sh -c 'exit 5'")).toMatchObject({ output: 'c', exit_code: 5, running: false })
  })
})
