import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { AgentShell } from '../harness/agentShell'
import { CONTAINERS } from '../harness/containers'
import { count, LIMIT_MS } from '../harness/counts'
import { installed } from '../harness/installed'
import { SSH_SERVER, sshLine } from '../harness/sshServer'
import { until } from '../harness/waiting'

let shell: AgentShell
beforeAll(async () => {
  shell = await AgentShell.start()
}, LIMIT_MS)
afterAll(() => shell.stop(), LIMIT_MS)

/** With nothing of the person's: some shells write into any home they are given. */
const plain = () => `env HOME=${shell.world.home} HISTFILE=/dev/null ENV= PS1='$ '`
const ssh = (name: string, program: string) => sshLine(join(shell.world.root, name), `${plain()} ${program}`)

interface Way {
  title: string
  line(): string
  end?: () => void
  /** The machine lets us try it. */
  isPossible?: boolean
}

/** Shells that tell nothing about themselves, each behind a line of its own. */
const HERE: Way[] = [
  { title: 'dash in the place of the shell', line: () => `export PS1='$ '; exec dash` },
  { title: 'bash in the place of the shell', line: () => 'exec bash --norc' },
  { title: 'busybox sh inside', line: () => `${plain()} busybox sh` },
  { title: 'zsh inside', line: () => `${plain()} zsh -f` },
  { title: 'fish inside', line: () => `${plain()} fish -N` },
  { title: 'dash in a script of its own', line: () => `${plain()} script -qc 'dash -i' /dev/null` }
]

const FAR: Way[] = [
  ['dash', 'dash -i'],
  ['bash', 'bash --norc -i'],
  // Its own prompt ends in a sign that others end what is not finished with.
  ['zsh', "env PS1='here%% ' zsh -f"],
  ['fish', 'fish -N']
].map(([name = '', program = '']) => {
  return {
    title: `${name} behind ssh`,
    isPossible: SSH_SERVER !== undefined,
    line: () => ssh(name, program)
  }
})

const WALLED: Way[] = CONTAINERS.map(({ title, isPossible, line, end }, index) => {
  const folder = () => join(shell.world.root, `container-${index}`)
  return { title, isPossible, line: () => line(folder()), end: () => end(folder()) }
})

const WAYS = [...HERE, ...FAR, ...WALLED]
describe.each(WAYS.filter(({ isPossible }) => isPossible !== false))('$title', { timeout: LIMIT_MS }, inside)
describe.skip.each(WAYS.filter(({ isPossible }) => isPossible === false))('$title', inside)

function inside({ title, line, end }: Way): void {
  const isFish = title.startsWith('fish')
  const fails = "echo x; sh -c 'exit 3'"
  let id: string
  const text = async () => (await shell.read(id, { max_bytes: 1_000_000 })).chunks.map(({ data }) => data).join('')

  beforeAll(async () => {
    id = await shell.open('bash')
    await shell.run(id, line(), { timeout: 1 })
    await until(async () => {
      const { content } = await shell.call('terminal__read', { session_id: id, view: 'screen' })
      return /[$#%>]$/.test(String(content).trimEnd())
    })
  }, LIMIT_MS)
  afterAll(async () => {
    await shell.call('close_terminal', { terminal_id: id })
    end?.()
  })

  test('answers what commands print and their codes, and nobody sees how that is known', async () => {
    for (let round = 0; round < count({ small: 2, full: 200 }); round++) {
      expect(await shell.run(id, fails)).toMatchObject({ output: 'x', exit_code: 3, running: false })
    }
    expect(await shell.run(id, 'sleep 1; echo SLOW')).toMatchObject({ output: 'SLOW', exit_code: 0 })
    expect(await shell.run(id, "echo 'a\tb' \"it's\" '!!'")).toMatchObject({ output: "a\tb it's !!", exit_code: 0 })
    expect(await shell.run(id, 'echo "[$ONCE]"', { env: { ONCE: "it's 1" } })).toMatchObject({ output: "[it's 1]" })
    expect(await shell.run(id, 'echo "[$ONCE]"; cd /; export KEPT=yes')).toMatchObject({ output: '[]' })
    expect(await shell.run(id, 'echo $KEPT in $PWD\nfalse')).toMatchObject({ output: 'yes in /', exit_code: 1 })
    if (!isFish) expect(await shell.run(id, 'cat <<END\n$KEPT\nEND')).toMatchObject({ output: 'yes' })
    expect(await text()).not.toMatch(/printf|7777/)
  })

  test('takes lines that no terminal takes at once', async () => {
    for (const length of [5_000, isFish ? 20_000 : count({ small: 100_000, full: 1_000_000 })]) {
      const long = await shell.run(id, `echo ${'x'.repeat(length)} | wc -c`, { timeout: 45 })
      expect([long.output.trim(), long.exit_code]).toEqual([`${length + 1}`, 0])
    }
    expect(await text()).not.toMatch(/printf|7777/)
  })

  // It takes five seconds each time, so small runs try one behind each kind of wall.
  const isTried = count({ small: 0, full: 1 }) === 1 || [HERE, FAR, WALLED].some(([first]) => first?.title === title)
  test.skipIf(!isTried || /^(zsh inside|busybox)/.test(title))(
    'is not given what it cannot finish, and can be used afterwards',
    async () => {
      const refusal = await shell.refusal('execute_shell', { terminal_id: id, command: 'echo "open' })
      expect(refusal).toContain('INVALID_ARGUMENTS: incomplete command')
      expect(await shell.run(id, 'echo usable')).toMatchObject({ output: 'usable', exit_code: 0 })
    }
  )

  test('is free again when somebody interrupts a command', async () => {
    const { command_id } = await shell.run(id, 'sleep 600', { async: true })
    expect(await shell.refusal('execute_shell', { terminal_id: id, command: 'true' })).toMatch(
      /^TERMINAL_BUSY: .*sleep 600/
    )
    await shell.call('terminal__send', { session_id: id, key: 'c', ctrl: true })
    expect(await shell.run(id, 'echo after', { queue: true })).toMatchObject({ output: 'after', exit_code: 0 })
    expect((await shell.read(id, { command_id })).command).toMatchObject({ running: false })
  })
}

describe.skipIf(SSH_SERVER === undefined)('a shell behind ssh that no line of ours fits', { timeout: LIMIT_MS }, () => {
  test.skipIf(installed('tcsh') === undefined)('is refused as such, and can be used afterwards', async () => {
    const id = await shell.open('bash')
    await shell.run(id, ssh('tcsh', 'tcsh -f'), { timeout: 1 })
    await until(async () => {
      const { content } = await shell.call('terminal__read', { session_id: id, view: 'screen' })
      return /[#>%] *$/.test(String(content).trimEnd())
    })
    const refusal = await shell.refusal('execute_shell', { terminal_id: id, command: 'echo x' })
    expect(refusal).toMatch(/INVALID_ARGUMENTS: .*does not understand/)
    await shell.call('terminal__send', { session_id: id, text: 'echo still $shell', submit: true })
    await until(async () => {
      const { content } = await shell.call('terminal__read', { session_id: id, view: 'screen' })
      return /still \/\S+/.test(String(content))
    })
    await shell.call('close_terminal', { terminal_id: id })
  })
})

describe('a prompt that the settings describe', () => {
  let own: AgentShell
  afterEach(() => own.stop(), LIMIT_MS)

  test('is known by the engine’s own syntax, and one that it does not run harms no read', async () => {
    own = await AgentShell.start({ TANDEM_PROMPT_PATTERN: '(?i)^ready:' })
    const id = await own.open('bash')
    await own.run(id, "PS1='Ready: ' HISTFILE=/dev/null ENV= dash", { timeout: 1 })
    expect(await own.run(id, 'echo inside; sh -c "exit 3"')).toMatchObject({ output: 'inside', exit_code: 3 })
    own.world.environment.TANDEM_PROMPT_PATTERN = '('
    await own.crash()
    expect(own.tandem.stderr).toContain('TANDEM_PROMPT_PATTERN is "("')
    const plain = await own.open('/bin/dash')
    const read = await own.call('terminal__read', { session_id: plain, wait_for_prompt: true })
    expect(read).toMatchObject({ prompt_detected: true, prompt_source: 'pattern' })
  })
})
