import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ScreenShell } from '../harness/screenShell'
import { SSH_SERVER, sshLine } from '../harness/sshServer'
import { Tab } from '../harness/tab'
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
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

function commandFor(terminal: string): string {
  return `${process.execPath} ${ENTRY} attach --data-dir ${world.dataDir} ${terminal}`
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
  const { tmuxSession } = await work.create()
  attach(tmuxSession)
  await shell.sees('$ ')
  await tandem.end('SIGKILL')
  await shell.sees('exit=1')
  expect(shell.text).toContain('The connection to the host ended')
  await isRestored()
})

test('an unknown terminal is said with exit 1, and without a terminal of its own it is a usage error', async () => {
  attach('nobody')
  await shell.sees('There is no terminal "nobody"')
  await shell.sees('exit=1')
  const { code, stderr } = await runTandem(world, ['attach', '--data-dir', world.dataDir, 'nobody'])
  expect([code, stderr]).toEqual([2, '`tandem attach` needs a terminal of its own to draw in.\n'])
})
