import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type OpenShell, PERSON, ShellHost } from '../harness/shellHost'
import { until } from '../harness/waiting'

const SECRET = 'correct-horse-battery'
let host: ShellHost
afterEach(() => host.close())

async function waits(shell: OpenShell): Promise<void> {
  await until(() => shell.terminal.control.state.needsPerson, {
    what: () => `a hidden prompt in ${shell.all.slice(-300)}`
  })
}

test.each(['bash', 'zsh', 'fish', 'python3', 'cat', 'dash'])(
  '%s that waits for input is no prompt for a secret',
  async (name) => {
    host = await ShellHost.start()
    const shell = await host.open(name)
    const prompts = ['bash', 'zsh', 'fish'].includes(name)
    if (prompts) await shell.atPrompt()
    else if (name !== 'cat') await until(() => /[>$#] $/.test(shell.all), { what: 'its prompt' })
    expect(await shell.terminal.needsPerson()).toBe(false)
    await shell.type('echo hi')
    expect(shell.terminal.control.state.needsPerson).toBe(false)
  }
)

test.each([
  ['less /etc/passwd', 'root'],
  ['vi -u NONE /etc/passwd', 'root']
])('%s is no prompt for a secret', async (line, shown) => {
  host = await ShellHost.start()
  const shell = await (await host.open('bash')).atPrompt()
  await shell.type(`${line}\r`)
  await shell.shows(shown)
  await until(async () => (await shell.terminal.foreground())?.isOwnProgram === false)
  expect(await shell.terminal.needsPerson()).toBe(false)
})

const ASKS: [string, string][] = [
  ['read -s', `read -s -p 'Secret: ' S; echo; echo "got \${#S}"`],
  ['getpass', `python3 -c "import getpass; print('got', len(getpass.getpass('Secret: ')))"`],
  ['a program like sudo', `stty -echo; printf 'Secret: '; head -n 1 > /dev/null; stty echo; echo; echo got 21`]
]

test.each(ASKS)('%s is the person alone: agents are refused, and the secret is nowhere', async (_, line) => {
  host = await ShellHost.start('tmux')
  const shell = await (await host.open('bash')).atPrompt()
  await shell.type(`${line}\r`)
  await shell.shows('Secret: ')
  await waits(shell)
  expect(await shell.terminal.needsPerson()).toBe(true)
  await expect(shell.type('guess\r')).rejects.toMatchObject({
    code: 'HUMAN_HAS_CONTROL',
    message: expect.stringContaining('password')
  })
  await shell.type(`${SECRET}\r`, PERSON)
  await shell.shows(`got ${SECRET.length}`)
  await shell.atPrompt()
  expect(shell.terminal.control.state.needsPerson).toBe(false)
  expect(shell.terminal.commands.all()).toHaveLength(1)
  await host.stop()
  expect(shell.all).not.toContain(SECRET)
  expect(JSON.stringify([shell.terminal.commands.all(), shell.terminal.entered])).not.toContain(SECRET)
  for (const file of filesUnder(host.world.dataDir)) expect(readFileSync(file, 'utf8')).not.toContain(SECRET)
})

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
