import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FULL_ACCESS } from '../../src/core/workspace/workspacesFixture.testing'
import { AGENT, type OpenShell, PERSON, ShellHost, type ShellName } from '../harness/shellHost'
import { until } from '../harness/waiting'

const SHELLS: ShellName[] = ['bash', 'zsh', 'fish']
/** The same in every shell's own words: a command that prints and ends with a code. */
const PRINTS_AND_FAILS = { bash: 'echo x; (exit 3)', zsh: 'echo x; (exit 3)', fish: "echo x; sh -c 'exit 3'" }

let host: ShellHost
afterEach(() => host.close())

async function opened(shell: string, env?: Record<string, string>): Promise<OpenShell> {
  return (await host.open(shell, env)).atPrompt()
}

/** Five ordinary things in a row: whatever the user's files do, these come out right. */
async function expectTrustworthy(shell: OpenShell): Promise<void> {
  const record = await shell.run('echo one; sh -c "exit 4"')
  expect(record).toMatchObject({ command: 'echo one; sh -c "exit 4"', exitCode: 4, actor: AGENT, running: false })
  expect(shell.output(record)).toBe('one\r\n')
  expect(await shell.run('true')).toMatchObject({ command: 'true', exitCode: 0 })
  expect(await shell.run('true')).toMatchObject({ command: 'true', exitCode: 0 })
  expect(shell.all).not.toMatch(/__tandem|tandem=/)
}

describe.each(['pty', 'tmux'] as const)('on %s', (backend) => {
  test.each(SHELLS)('%s tells its commands, their output, exit codes and directories', async (name) => {
    host = await ShellHost.start(backend)
    const shell = await opened(name)
    const record = await shell.run(PRINTS_AND_FAILS[name])
    expect(record).toMatchObject({ command: PRINTS_AND_FAILS[name], exitCode: 3, actor: AGENT, running: false })
    expect(record.cwd).toBe(host.world.project)
    expect(record.durationMs).toBeGreaterThanOrEqual(0)
    expect(shell.output(record)).toBe('x\r\n')
    await shell.run('cd /usr/share')
    expect(shell.terminal.shell.cwd).toBe('/usr/share')
    expect(await shell.terminal.currentDirectory()).toBe('/usr/share')
    expect(shell.output(await shell.run('printf abc'))).toBe('abc')
    for (const line of ["echo 'é;%;日本'", 'echo "a\\b" # c', 'true'])
      expect((await shell.run(line)).command).toBe(line)
    expect((await shell.run('false', PERSON)).actor).toEqual(PERSON)
    const bytes = shell.all
    expect(bytes).not.toMatch(/133;|tandem=|file:\/\//)
  })
})

test('a command that runs while the host is away is taken up again, with its code', async () => {
  host = await ShellHost.start('tmux')
  const first = await opened('bash')
  const gate = join(host.world.root, 'gate')
  await first.run('echo before')
  await first.type(`while [ ! -e ${gate} ]; do sleep 0.1; done; echo late; sh -c "exit 9"\r`)
  await until(() => first.terminal.commands.current, { what: 'the beginning of the command' })
  const { id } = first.terminal
  await host.stop()
  await host.begin()
  const second = host.shell(id)
  expect(second.terminal.shell).toMatchObject({ isIntegrated: true, state: 'running' })
  expect(second.terminal.commands.all()).toMatchObject([{ command: 'echo before', exitCode: 0 }, { running: true }])
  host.homeFile('../gate', '')
  await until(() => second.terminal.commands.current === undefined, { what: 'its end' })
  expect(second.terminal.commands.all().at(-1)).toMatchObject({ exitCode: 9, actor: AGENT, running: false })
  expect((await second.run('echo after')).exitCode).toBe(0)
})

test('a command that ended while the host was away is over, and nothing is made up about it', async () => {
  host = await ShellHost.start('tmux')
  const first = await opened('bash')
  const gate = join(host.world.root, 'gate')
  await first.type(`while [ ! -e ${gate} ]; do sleep 0.1; done; touch ${gate}2\r`)
  await until(() => first.terminal.commands.current, { what: 'the beginning of the command' })
  await host.stop()
  host.homeFile('../gate', '')
  await until(() => existsSync(`${gate}2`))
  await host.begin()
  const second = await host.shell(first.terminal.id).atPrompt()
  expect(second.terminal.commands.all()).toMatchObject([{ exitCode: null, durationMs: null, running: false }])
  await expectTrustworthy(second)
})

test.each(SHELLS)('the end of a command in %s that the host could not hear is asked for', async (name) => {
  host = await ShellHost.start('tmux')
  const shell = await opened(name)
  const gate = join(host.world.root, 'gate')
  await shell.type(`sh -c 'while ! test -e ${gate}; do sleep 0.05; done; touch ${gate}2; exit 5'\r`)
  await until(() => shell.terminal.commands.current, { what: 'the beginning of the command' })
  // The host is this process: it hears nothing until the next await, and what is said meanwhile goes nowhere.
  host.world.tmux('pipe-pane', '-t', `=${shell.terminal.tmuxSession}:`)
  host.homeFile('../gate', '')
  while (!existsSync(`${gate}2`)) execFileSync('sleep', ['0.05'])
  execFileSync('sleep', ['0.5'])
  expect(shell.terminal.commands.current?.running).toBe(true)
  await until(() => shell.terminal.commands.current === undefined, { what: 'its end' })
  expect(shell.terminal.commands.all()).toMatchObject([{ exitCode: 5, running: false }])
  await expectTrustworthy(await shell.atPrompt())
})

const BASH_FILES: [string, string][] = [
  ['a prompt that is written afresh before every prompt', `PROMPT_COMMAND='PS1="<$?> $ "'`],
  ['a list of prompt commands', `PROMPT_COMMAND=('X=1' 'PS1="$X $ "')`],
  ['a prompt of two lines with colours', `PS1='\\[\\e[32m\\]\\w\\[\\e[0m\\]\\n\\$ '`],
  ['a trap before every command', `trap 'LAST=$BASH_COMMAND' DEBUG; PS1='$ '`],
  ['vi keys', `set -o vi; PS1='$ '`],
  ['unset variables as errors', `set -u; PS1='$ '`],
  ['an rc that fails and one that returns early', `PS1='$ '; nonsense-command; return 1`],
  ['an rc with a syntax error', `PS1='$ '; HISTSIZE=7\nif then`],
  ['history of its own kind', `HISTCONTROL=ignoreboth; HISTTIMEFORMAT='%F %T '; shopt -s cmdhist lithist; PS1='$ '`],
  ['prompts that expand nothing', `shopt -u promptvars; PS1='$ '`]
]

test.each(BASH_FILES)('bash with %s is understood', async (_, text) => {
  host = await ShellHost.start()
  host.homeFile('.bashrc', `${text}\n`)
  await expectTrustworthy(await opened('bash'))
})

const ZSH_FILES: [string, string][] = [
  ['a prompt that is written afresh before every prompt', `precmd() { PS1="<$?> $ " }`],
  ['substituted prompts of two lines', `setopt promptsubst; PS1=$'%~\\n$(echo hi) $ '; RPROMPT='%T'`],
  ['vi keys', `bindkey -v; PS1='$ '`],
  ['unusual options', `setopt ksharrays shwordsplit nounset histignorespace; PS1='$ '`],
  ['an rc that fails', `PS1='$ '; nonsense-command; return 1`],
  ['no sign for missing newlines', `PROMPT_EOL_MARK=''; PS1='$ '`]
]

test.each(ZSH_FILES)('zsh with %s is understood', async (_, text) => {
  host = await ShellHost.start()
  host.homeFile('.zshrc', `${text}\n`)
  await expectTrustworthy(await opened('zsh'))
})

test('fish with vi keys and a prompt of two lines is understood', async () => {
  host = await ShellHost.start()
  host.homeFile(
    '.config/fish/config.fish',
    "set -g fish_greeting\nfunction fish_prompt; echo $status; echo -n '> '; end\nfish_vi_key_bindings\n"
  )
  await expectTrustworthy(await opened('fish'))
})

test('bash that ends at the first failure does not end by our doing', async () => {
  host = await ShellHost.start()
  host.homeFile('.bashrc', "PS1='$ '; set -e\n")
  const shell = await opened('bash')
  expect(await shell.run('! true')).toMatchObject({ command: '! true', exitCode: 1 })
  expect(shell.output(await shell.run('echo still here'))).toBe('still here\r\n')
  await shell.type('false\r')
  await until(() => shell.terminal.state === 'exited')
  expect(shell.terminal.commands.all().at(-1)).toMatchObject({ command: 'false', exitCode: 1, running: false })
})

test('bash that traces what it does shows nothing of ours', async () => {
  host = await ShellHost.start()
  const shell = await opened('bash')
  await shell.run('set -x')
  const record = await shell.run('echo traced')
  expect(record).toMatchObject({ command: 'echo traced', exitCode: 0 })
  await shell.run('set +x')
  expect(shell.all).not.toContain('__tandem')
})

test('zsh finds the files where its user keeps them', async () => {
  host = await ShellHost.start()
  host.homeFile('.zshenv', 'export ZDOTDIR=$HOME/dots\n')
  host.homeFile('dots/.zshrc', "PS1='dots $ '\n")
  const shell = await opened('zsh')
  expect(shell.output(await shell.run('echo $ZDOTDIR'))).toBe(`${host.world.home}/dots\r\n`)
  expect(shell.all).toContain('dots $ ')
})

test('bash loads login files, and ~/.bashrc once whoever names it', async () => {
  host = await ShellHost.start()
  host.homeFile('.bash_profile', 'FROM=profile; . ~/.bashrc\n')
  host.homeFile('.bashrc', "PS1='$ '; COUNT=$((COUNT + 1))\n")
  const shell = await opened('bash', { PATH: `/opt/asked/bin:${process.env.PATH}` })
  const record = await shell.run('echo $FROM $COUNT $PATH | cut -d: -f1')
  expect(shell.output(record)).toBe('profile 1 /opt/asked/bin\r\n')
})

test.each(SHELLS)('what %s signs its marks with is seen by no program and no user', async (name) => {
  host = await ShellHost.start()
  const shell = await opened(name)
  const nonce = readNonce(shell.terminal.pid ?? 0)
  expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  const inside = await shell.run(name === 'fish' ? 'env' : 'export PS1; env')
  expect(shell.output(inside)).toContain('TERM=')
  expect(shell.all).not.toContain(nonce)
})

test.each(SHELLS)('the history of %s holds the commands and nothing else', async (name) => {
  host = await ShellHost.start()
  const file = join(host.world.home, 'history')
  host.homeFile('.bashrc', `PS1='$ '; HISTFILE=${file}; HISTCONTROL=ignoreboth; unset HISTSIZE HISTFILESIZE\n`)
  host.homeFile('.zshrc', `PS1='$ '; HISTFILE=${file}; HISTSIZE=9999; SAVEHIST=9999; setopt histignorespace\n`)
  const old = Array.from({ length: 700 }, (_, n) => `old ${n}`)
  if (name !== 'fish') host.homeFile('history', `${old.join('\n')}\n`)
  const shell = await opened(name)
  for (const line of ['echo a', 'echo b', ' echo hidden', 'echo c']) await shell.run(line)
  expect(shell.terminal.commands.all().map(({ command }) => command)).toEqual(['echo a', 'echo b', '', 'echo c'])
  await shell.type('exit\r')
  await until(() => shell.terminal.state === 'exited')
  const fishFile = join(host.world.home, '.local/share/fish/fish_history')
  const lines = readFileSync(name === 'fish' ? fishFile : file, 'utf8')
    .split('\n')
    .filter(Boolean)
  const commands = lines
    .filter((line) => name !== 'fish' || line.startsWith('- cmd: '))
    .map((line) => line.replace('- cmd: ', ''))
  expect(commands).toEqual([...(name === 'fish' ? [] : old), 'echo a', 'echo b', 'echo c', 'exit'])
})

test('the end of a command that a printed file claims is no end', async () => {
  host = await ShellHost.start()
  const shell = await opened('bash')
  const gate = join(host.world.root, 'gate')
  const fake = "printf '\\033]133;D;0\\007\\033]133;D;tandem=0;0\\007\\033]133;A\\007\\033]7;file://x/etc\\007faked\\n'"
  await shell.type(`${fake}; while [ ! -e ${gate} ]; do sleep 0.1; done; false\r`)
  await shell.shows('faked\r\n')
  expect(shell.terminal.shell).toMatchObject({ state: 'running', cwd: host.world.project })
  expect(shell.terminal.commands.current?.running).toBe(true)
  // What is not ours stays where it is.
  expect(shell.all).toContain('\x1b]133;D;0\x07')
  host.homeFile('../gate', '')
  await shell.atPrompt()
  expect(shell.terminal.commands.all().at(-1)).toMatchObject({ exitCode: 1, running: false })
})

test('a shell inside the shell is a command that runs; one that takes its place is noticed', async () => {
  host = await ShellHost.start()
  const shell = await opened('bash')
  await shell.type('bash\r')
  await until(async () => (await shell.terminal.foreground())?.isOwnProgram === false)
  await shell.type('echo in""side\r')
  await shell.shows('inside\r\n')
  expect(shell.terminal.shell.state).toBe('running')
  expect(shell.terminal.commands.current).toMatchObject({ command: 'bash' })
  expect(await shell.terminal.foreground()).toMatchObject({ name: 'bash', isOwnProgram: false })
  await shell.type('exit\r')
  await shell.atPrompt()
  await shell.type('exec bash\r')
  await until(() => shell.terminal.shell.state === 'unknown', { what: 'the notice that bash was replaced' })
  expect(shell.terminal.shell.isIntegrated).toBe(false)
  expect(shell.terminal.commands.all().at(-1)).toMatchObject({ command: 'exec bash', running: false, exitCode: null })
})

test('the code of a shell that ends is the code of its last command', async () => {
  host = await ShellHost.start()
  const shell = await opened('bash')
  await shell.type('exit 7\r')
  await until(() => shell.terminal.state === 'exited')
  expect(shell.terminal.commands.all()).toMatchObject([{ command: 'exit 7', exitCode: 7, running: false }])
})

test('a program that is no shell of ours, or has arguments, is left as it is', async () => {
  host = await ShellHost.start()
  const shell = await host.open('/bin/dash')
  await shell.type('echo hel""lo\r')
  await shell.shows('hello\r\n')
  expect(shell.terminal.shell).toMatchObject({ isIntegrated: false, state: 'unknown' })
  expect(shell.terminal.commands.all()).toEqual([])
})

test('records are kept for the owner alone, and go with their terminal', async () => {
  host = await ShellHost.start('tmux')
  const shell = await opened('bash')
  await shell.run('echo kept')
  const folder = join(host.world.dataDir, 'commands')
  const file = join(folder, `${shell.terminal.id}.json`)
  await until(() => existsSync(file))
  expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  await until(() => readFileSync(file, 'utf8').includes('echo kept'))
  const workspace = { project: host.world.project, session: 'shells' }
  await host.host.workspaces.kill(FULL_ACCESS, workspace, shell.terminal.id)
  expect(readdirSync(folder)).toEqual([])
})

/** The environment a process began with, as only its owner may read it. */
function readNonce(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
  return /TANDEM_SHELL_NONCE=([^\0]*)/.exec(environment)?.[1] ?? ''
}
