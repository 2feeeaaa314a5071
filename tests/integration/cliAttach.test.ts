import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TcpProxy } from '../harness/faults/tcpProxy'
import { ScreenShell } from '../harness/screenShell'
import { SSH_SERVER, sshLine } from '../harness/sshServer'
import { Tab } from '../harness/tab'
import { ENTRY, makeWorld, processesOf, runTandem, Tandem, type World } from '../harness/tandem'
import { AnsweringTerminal } from '../harness/threats/answeringTerminal'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
let shell: ScreenShell
const work = new WorkspaceClient(() => tandem)

beforeAll(() => {
  world = makeWorld()
})
beforeEach(async () => {
  tandem = await Tandem.start(world)
  shell = new ScreenShell(world, '/bin/bash --norc')
  shell.type("PS1='person> '; stty -a | grep -c 'isig icanon'\n")
  await shell.sees(/^1$/m)
})
afterEach(async () => {
  shell.end()
  await tandem.end('SIGKILL')
})
afterAll(() => world.remove())

/** Right after it, before the shell's own line editor can mend anything, the modes of the terminal are looked at. */
function attach(terminal: string): void {
  attachBy(commandFor(terminal))
}

function commandFor(terminal: string, ...flags: string[]): string {
  return [process.execPath, ENTRY, 'attach', '--data-dir', world.dataDir, ...flags, terminal].join(' ')
}

function attachBy(command: string): void {
  const look = `stty -a | grep -q " icanon" && stty -a | grep -q " echo " && echo "tty-rest""ored"`
  shell.type(`clear; ${command}; echo "exit=$?"; ${look}\n`)
}

/** The person's own terminal is as it was: canonical, echoing, main screen, no mouse, cursor shown. */
async function isRestored(): Promise<void> {
  await shell.sees('tty-restored')
  const modes = '#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_cursor_flag}'
  expect(shell.ask(modes)).toBe('0 0 1 0')
}

test('types, shows, resizes, and Ctrl+] leaves the program running with the own terminal restored', async () => {
  const { id, tmuxSession } = await work.create('busy')
  attach('busy')
  await shell.sees('$ ')
  shell.type('echo "typed-$((40+2))"; stty size\n')
  await shell.sees('typed-42')
  await shell.sees('24 90')
  shell.resize(71, 19)
  await until(() => {
    shell.type('stty size\n')
    return shell.text.includes('19 71')
  })
  shell.type('printf "\\033[?1049h\\033[?1003h\\033[?25l\\033[?1hin-the-other-screen"\n')
  await until(() => shell.ask('#{alternate_on}') === '1', { what: 'the other screen' })
  shell.press('C-]')
  await shell.sees('exit=0')
  await shell.sees('it goes on running')
  await isRestored()
  // What is said stands below what was there, and hides none of it.
  expect(shell.text).toMatch(/typed-42[\s\S]*19 71[\s\S]*Left "busy"[\s\S]*exit=0/)
  expect(await work.find(id)).toMatchObject({ state: 'running' })
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('echo still-$((1+1))-there\r')
  await tab.sees('still-2-there')
  tab.close()
})

test.skipIf(!SSH_SERVER)('over ssh it is the same: keys, sizes, and leaving with everything restored', async () => {
  const { id } = await work.create('remote')
  attachBy(sshLine(join(world.root, 'ssh'), commandFor('remote')))
  await shell.sees('$ ')
  shell.type('echo "typed-$((40+2))"; stty size\n')
  await shell.sees('typed-42')
  await shell.sees('24 90')
  shell.resize(71, 19)
  await until(() => {
    shell.type('stty size\n')
    return shell.text.includes('19 71')
  })
  shell.press('C-]')
  await shell.sees('exit=0')
  await isRestored()
  expect(await work.find(id)).toMatchObject({ state: 'running' })
})

test.each([
  ['vim in an xterm', '\\033[>4;2m', '\x1b[27;5;93~'],
  ['the kitty protocol', '\\033[>1u', '\x1b[93;5u']
])('Ctrl+] leaves although it comes as %s has terminals send it', async (_, asks, key) => {
  const { tmuxSession } = await work.create()
  attach(tmuxSession)
  await shell.sees('$ ')
  shell.type(`printf "${asks}\\033[?1049hfull-$((40+2))"; cat\n`)
  await shell.sees('full-42')
  shell.type(key)
  await shell.sees('exit=0')
  await isRestored()
})

test('Ctrl+] pressed twice goes to the program, once', async () => {
  await work.create('twice')
  attach('twice')
  await shell.sees('$ ')
  shell.type('cat -v\n')
  shell.press('C-]', 'C-]')
  shell.type('after\n')
  await shell.sees(/^\^\]after$/m)
  expect(shell.text).not.toContain('^]^]')
  shell.press('C-]')
  await shell.sees('exit=0')
  await isRestored()
})

test('another key can be chosen, or none; what is no such key is a usage error', async () => {
  const { id } = await work.create('chosen')
  attachBy(commandFor('chosen', '--detach-key', 'ctrl-a'))
  await shell.sees('$ ')
  shell.type('cat -v\n')
  shell.press('C-]')
  shell.type('mine\n')
  await shell.sees(/^\^\]mine$/m)
  shell.press('C-a')
  await shell.sees('exit=0')
  await isRestored()
  attachBy(commandFor('chosen', '--detach-key', 'none'))
  await until(() => !shell.text.includes('exit=0'), { what: 'a clear screen' })
  await shell.sees(/^\^\]mine$/m)
  shell.press('C-]')
  shell.type('end\n')
  await shell.sees(/^\^\]end$/m)
  shell.press('C-d')
  shell.type('exit\n')
  await shell.sees('exit=0')
  expect(await work.find(id)).toMatchObject({ state: 'exited' })
  const wrong = await runTandem(world, ['attach', '--detach-key', 'alt-x', '--data-dir', world.dataDir, 'chosen'])
  expect([wrong.code, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('--detach-key is "alt-x"')
})

test('the terminal that it runs in is refused, by any name, and another is not', async () => {
  const { id } = await work.create('mirror')
  await work.create('other')
  attach('mirror')
  await shell.sees('$ ')
  for (const handle of ['mirror', id]) {
    shell.type(`clear; ${commandFor(handle)}; echo "said=$?"\n`)
    await shell.sees('This is the terminal you are in')
    await shell.sees('said=2')
  }
  shell.type(`clear; ${commandFor('other', '--detach-key', 'ctrl-a')}; echo "inner=$?"\n`)
  await shell.sees(/^\$ $/m)
  shell.type('echo other-$((40+2))\n')
  await shell.sees('other-42')
  shell.press('C-a')
  await shell.sees('inner=0')
  shell.press('C-]')
  await shell.sees('exit=0')
  await isRestored()
})

test('a restart of the host is lived through: the same screen, and what was typed meanwhile', async () => {
  await work.create('lasting')
  attach('lasting')
  await shell.sees('$ ')
  shell.type('echo before-$((40+2))\n')
  await shell.sees('before-42')
  await tandem.end('SIGTERM')
  shell.type('echo meanwhile-$((40+2))\n')
  await shell.sees('Tandem is away; what you type waits for it. Ctrl+] leaves.')
  tandem = await Tandem.start(world)
  await shell.sees('meanwhile-42')
  expect(shell.text).toContain('before-42')
  expect(shell.text).not.toContain('Tandem is away')
  shell.press('C-]')
  await shell.sees('exit=0')
  await isRestored()
})

test('a connection that is cut again and again shows every byte once', async () => {
  const { tmuxSession } = await work.create('cut')
  const proxy = await TcpProxy.start(tandem.ready.url)
  const file = join(world.dataDir, 'endpoint.json')
  const published = readFileSync(file, 'utf8')
  writeFileSync(file, published.replace(tandem.ready.url, `http://127.0.0.1:${proxy.port}`))
  const person = new AnsweringTerminal(world, tmuxSession)
  try {
    await until(() => person.shown.includes('$ '), { what: 'the prompt' })
    person.type(Buffer.from('for ((n = 1; n <= 400; n++)); do echo "<$n>"; sleep 0.005; done; echo all-"done"\r'))
    for (let cuts = 1; cuts <= 5; cuts++) {
      await until(() => person.shown.includes(`<${cuts * 40}>`), { what: 'the next lines' })
      proxy.cut()
    }
    await until(() => person.shown.includes('all-done'), { what: 'the last line' })
    const numbers = [...person.shown.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
    person.type(Buffer.from('\x1d'))
    await until(() => person.exitCode === 0, { what: 'the end' })
    // The own title is put aside once, and given back once.
    for (const once of ['\x1b[22;0t', '\x1b[23;0t']) expect(person.shown.split(once)).toHaveLength(2)
  } finally {
    person.end()
    await proxy.close()
  }
})

test('a program that ended with its host does not come back with the next one', async () => {
  await tandem.end('SIGKILL')
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  await work.create('mortal')
  attach('mortal')
  await shell.sees('$ ')
  await tandem.end('SIGTERM')
  tandem = await Tandem.start(world, ['--backend', 'pty'])
  await shell.sees('exit=1')
  expect(shell.text).toContain('does not know "mortal"')
  await isRestored()
})

test('while no host is there, Ctrl+] leaves at once', async () => {
  await work.create('alone')
  attach('alone')
  await shell.sees('$ ')
  await tandem.end('SIGKILL')
  shell.press('C-]')
  await shell.sees('exit=0')
  await isRestored()
})

test('a signal that ends it gives the own terminal back', async () => {
  const { id } = await work.create('told')
  attach('told')
  await shell.sees('$ ')
  const [own] = processesOf(world.root).filter((pid) => commandLine(pid).includes('\0attach\0'))
  process.kill(own ?? 0, 'SIGINT')
  await shell.sees('exit=0')
  await isRestored()
  expect(await work.find(id)).toMatchObject({ state: 'running' })
})

test('the end of the program ends it with exit 0, and Ctrl+C belongs to the program', async () => {
  const { id } = await work.create('short')
  attach(`sess_${id.slice(0, 8)}`)
  await shell.sees('$ ')
  shell.type('sleep 1000\n')
  await shell.sees('sleep 1000')
  shell.press('C-c')
  shell.type('echo "after-$((3+4))"; exit 3\n')
  await shell.sees('exit=0')
  expect(shell.text).toContain('has ended')
  await isRestored()
  expect(await work.find(id)).toMatchObject({ state: 'exited', exitCode: 3 })
})

test('the death of the host is said with exit 1, and the own terminal is restored', async () => {
  const { id, tmuxSession } = await work.create()
  attach(tmuxSession)
  await shell.sees('$ ')
  await tandem.end('SIGKILL')
  await shell.sees('exit=1')
  expect(shell.text).toContain('The connection to the host ended')
  expect(shell.text.replaceAll('\n', ' ')).toContain(`tandem attach sess_${id.slice(0, 8)}`)
  await isRestored()
})

test('an unknown terminal is said with exit 1, and without a terminal of its own it is a usage error', async () => {
  attach('nobody')
  await shell.sees('There is no terminal "nobody"')
  await shell.sees('exit=1')
  const { code, stderr } = await runTandem(world, ['attach', '--data-dir', world.dataDir, 'nobody'])
  expect([code, stderr]).toEqual([2, '`tandem attach` needs a terminal of its own to draw in.\n'])
})

function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}
