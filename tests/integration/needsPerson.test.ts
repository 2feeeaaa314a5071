import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type OpenShell, PERSON, ShellHost, type ShellName } from '../harness/shellHost'
import { SSH_SERVER, sshLine } from '../harness/sshServer'
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

/** As sudo and ssh do: on the terminal itself, whatever stands in for input and output. */
const LIKE_SUDO = `import os, termios
tty = os.open('/dev/tty', os.O_RDWR)
old = termios.tcgetattr(tty)
new = termios.tcgetattr(tty)
new[3] &= ~termios.ECHO
termios.tcsetattr(tty, termios.TCSAFLUSH, new)
os.write(tty, b'Secret: ')
secret = os.read(tty, 100).strip()
termios.tcsetattr(tty, termios.TCSAFLUSH, old)
os.write(tty, b'\\ngot %d\\n' % len(secret))
`

const ASKS: [string, ShellName, string][] = [
  ['read -s in bash', 'bash', `read -s -p 'Secret: ' S; echo; echo "got \${#S}"`],
  ['read -s in zsh', 'zsh', `read -s 'S?Secret: '; echo; echo "got \${#S}"`],
  ['getpass', 'bash', `python3 -c "import getpass; print('got', len(getpass.getpass('Secret: ')))"`],
  ['a program like sudo', 'bash', 'python3 ~/like-sudo.py < /dev/null > /dev/null'],
  ['a program like sudo in fish', 'fish', 'python3 ~/like-sudo.py < /dev/null > /dev/null'],
  ['stty -echo', 'bash', `stty -echo; printf 'Secret: '; head -n 1 > /dev/null; stty echo; echo; echo got 21`]
]

test.each(ASKS)('%s is the person alone: agents are refused, and the secret is nowhere', async (_, name, line) => {
  // What programs printed is kept on the disk, too.
  host = await ShellHost.start('tmux', { TANDEM_PERSIST_BUFFERS: 'true' })
  host.homeFile('like-sudo.py', LIKE_SUDO)
  host.homeFile('.zshrc', "PS1='$ '; HISTFILE=~/.zsh_history; SAVEHIST=100; HISTSIZE=100\n")
  const shell = await (await host.open(name)).atPrompt()
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
  // The shell writes its history when it ends.
  await shell.type('exit\r', PERSON)
  await until(() => shell.terminal.state === 'exited')
  await host.stop()
  expect(shell.all).not.toContain(SECRET)
  expect(JSON.stringify([shell.terminal.commands.all(), shell.terminal.entered])).not.toContain(SECRET)
  const files = filesUnder(host.world.root)
  expect(files.filter((file) => readFileSync(file).includes(SECRET))).toEqual([])
  expect(files.some((file) => readFileSync(file).includes('Secret: '))).toBe(true)
  const histories = files.filter((file) => /history$/.test(file))
  expect(histories.map((file) => readFileSync(file, 'utf8').includes(line.slice(0, 7)))).toEqual([true])
})

/** As sudo does with pwfeedback: key by key, with a star for each. */
const WITH_STARS = `import os, sys, tty, termios
old = termios.tcgetattr(0)
tty.setcbreak(0)
os.write(1, b'[sudo] password for ann: ')
count = 0
while os.read(0, 1) not in (b'\\r', b'\\n'):
    count += 1
    os.write(1, b'*')
termios.tcsetattr(0, termios.TCSAFLUSH, old)
os.write(1, b'\\ngot %d\\n' % count)
`

test('a sudo that shows stars is the person alone, by the words that it asks with', async () => {
  host = await ShellHost.start()
  host.homeFile('stars.py', WITH_STARS)
  const shell = await (await host.open('bash')).atPrompt()
  await shell.run(`ln -s "$(python3 -c 'import sys; print(sys.executable)')" ~/sudo`)
  await shell.type('~/sudo ~/stars.py\r')
  await waits(shell)
  await shell.type(SECRET, PERSON)
  await shell.shows('*'.repeat(SECRET.length))
  expect(await shell.terminal.needsPerson()).toBe(true)
  await shell.type('\r', PERSON)
  await shell.shows(`got ${SECRET.length}`)
  expect(shell.all).not.toContain(SECRET)
})

/** What runs on the other side, in a shell there. */
const far = (program: string): string =>
  sshLine(join(host.world.root, `ssh-${Math.random()}`), `env HOME=${host.world.home} HISTFILE=/dev/null ${program}`)

const FAR_ASKS: [string, string][] = [
  ['read -s', `read -s -p 'Password: ' S; echo; echo "got \${#S}"`],
  ['getpass', `python3 -c "import getpass; print('got', len(getpass.getpass()))"`],
  ['a key that is locked', `read -s -p "Enter passphrase for key '/home/ann/.ssh/id': " S; echo; echo "got \${#S}"`]
]

describe.skipIf(SSH_SERVER === undefined)('behind ssh', () => {
  test.each(FAR_ASKS)('%s is the person alone, by the words that it asks with', async (_, line) => {
    host = await ShellHost.start('tmux', { TANDEM_PERSIST_BUFFERS: 'true' })
    const shell = await (await host.open('bash')).atPrompt()
    await shell.type(`${far("PS1='far $ ' bash --norc -i")}\r`)
    await shell.shows('far $ ')
    await shell.type(`${line}\r`)
    await waits(shell)
    await expect(shell.type('guess\r')).rejects.toMatchObject({ code: 'HUMAN_HAS_CONTROL' })
    await shell.type(SECRET, PERSON)
    expect(await shell.terminal.needsPerson()).toBe(true)
    await shell.type('\r', PERSON)
    await shell.shows(`got ${SECRET.length}`)
    await until(async () => !(await shell.terminal.needsPerson()))
    await host.stop()
    expect(JSON.stringify([shell.all, shell.terminal.commands.all(), shell.terminal.entered])).not.toContain(SECRET)
    expect(filesUnder(host.world.root).filter((file) => readFileSync(file).includes(SECRET))).toEqual([])
  })

  test.each([
    ['bash', "PS1='password: far $ ' bash --norc -i", 'far $ '],
    ['zsh', "PS1='far%% ' zsh -f", 'far% '],
    ['fish', 'fish -N', '\x1b[K'],
    ['python', 'python3 -q', '>>> '],
    ['less', 'less /etc/passwd', 'root:'],
    ['vi', 'vi -u NONE -n -R /etc/passwd', 'root:']
  ])('%s that waits for input is no prompt for a secret', async (name, program, shown) => {
    host = await ShellHost.start()
    const shell = await (await host.open('bash')).atPrompt()
    await shell.type(`${far(program)}\r`)
    await until(() => shell.all.includes(shown), { what: () => `"${shown}" in ${JSON.stringify(shell.all)}` })
    await until(async () => (await shell.terminal.foreground())?.name === 'ssh')
    expect(await shell.terminal.needsPerson()).toBe(false)
    if (['less', 'vi'].includes(name)) return
    await shell.type('echo password:')
    expect(await shell.terminal.needsPerson()).toBe(false)
  })
})

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
