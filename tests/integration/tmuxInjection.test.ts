import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ControlClient } from '../../src/core/backends/tmux/controlClient'
import { TmuxWorld } from '../harness/tmuxServer'
import { until } from '../harness/waiting'

let world: TmuxWorld

beforeEach(() => {
  world = new TmuxWorld()
})

afterEach(() => world.close())

const NASTY = [
  '100%done',
  '%H:%M',
  'x#(touch CANARY)',
  '#{pane_id}#S',
  'a;touch CANARY;b',
  ';',
  '$(touch CANARY)`touch CANARY`',
  'new\nline',
  'tab\tend\x1b[31m',
  '"double" \'single\' \\back\\',
  '~root $HOME $PATH',
  '{ braces } %if',
  'é 日本 🜁',
  '-flag',
  ' leading and trailing '
]

/** Prints its directory, its arguments and its environment, NUL between all of them. */
const TELL = `const fs = require('node:fs')
const facts = [process.cwd(), ...process.argv.slice(2), ...Object.entries(process.env).map((pair) => pair.join('='))]
fs.writeFileSync(process.argv[1], JSON.stringify(facts))`

test('directories, arguments and variables arrive unchanged and run nothing', async () => {
  const backend = await world.backend()
  const canary = join(world.scratch, 'canary')
  for (const [index, raw] of NASTY.entries()) {
    const nasty = raw.replaceAll('CANARY', index % 2 ? 'canary' : canary)
    const cwd = join(world.scratch, nasty.replaceAll('/', '_'))
    mkdirSync(cwd)
    const told = join(world.scratch, 'told')
    const command = [process.execPath, '-e', TELL, told, nasty, `${nasty}${nasty}`] as const
    const { ear } = await world.run(backend, command, { cwd, env: { PATH: '/usr/bin:/bin', NASTY: nasty } })
    expect(await ear.ended(), `with ${nasty}`).toEqual({ exitCode: 0, signal: null })
    const facts: string[] = JSON.parse(readFileSync(told, 'utf8'))
    expect(facts.slice(0, 3)).toEqual([cwd, nasty, `${nasty}${nasty}`])
    expect(facts).toContain(`NASTY=${nasty}`)
    expect(existsSync(canary) || existsSync(join(cwd, 'canary'))).toBe(false)
  }
})

test('a program gets exactly its environment, and tmux keeps no secret of ours', async () => {
  const secrets = { MY_SECRET: 'canary-1', GITHUB_TOKEN: 'canary-2', LD_PRELOAD_X: 'canary-3', TMUX: '/tmp/x,1,0' }
  const environment = { ...process.env, ...secrets, LC_TIME: 'C', TZ: 'UTC' }
  const backend = await world.backend({ environment })
  const env = { PATH: '/usr/bin:/bin', GIVEN: 'x=y z', SHELL: '/bin/given', TERM: 'xterm-given' }
  const { terminal } = await world.run(backend, ['/bin/sleep', '600'], { env })
  const names = () => readFileSync(`/proc/${terminal.pid}/environ`, 'utf8').split('\0').filter(Boolean).sort()
  await until(() => readFileSync(`/proc/${terminal.pid}/cmdline`, 'utf8').startsWith('/bin/sleep'))
  expect(names()).toEqual(
    [...Object.entries(env).map((pair) => pair.join('=')), 'COLORTERM=truecolor', 'TERM_PROGRAM=tandem'].sort()
  )
  const serverPid = await world.serverPid()
  expect(readFileSync(`/proc/${serverPid}/environ`, 'utf8')).not.toMatch(/canary/)
  expect(await world.tmux('show-environment', '-g')).not.toMatch(/canary|TMUX=/)
})

test('values of variables are on no command line', async () => {
  const backend = await world.backend()
  const { terminal } = await world.run(backend, ['/bin/sleep', '600'], { env: { PATH: '/bin', QUIET: 'not-for-ps' } })
  await until(() => readFileSync(`/proc/${terminal.pid}/environ`, 'utf8').includes('not-for-ps'))
  for (const pid of [...world.processes(), terminal.pid]) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('not-for-ps')
  }
  expect(await world.tmux('list-panes', '-a', '-F', '#{pane_start_command}')).not.toContain('not-for-ps')
})

test('a program path with an equals sign is run, not set', async () => {
  const backend = await world.backend()
  const directory = join(world.scratch, 'a=b')
  mkdirSync(directory)
  const { ear } = await world.shell(backend, `cp /bin/echo ${directory}/echo; echo copied`)
  await ear.ended()
  const { ear: second } = await world.run(backend, [`${directory}/echo`, 'ran', "it's"])
  await second.saw("ran it's")
})

test('tmux reads back every argument as it was quoted', async () => {
  await world.backend()
  const child = spawn('tmux', ['-u', '-L', world.socket, '-C', 'attach-session'])
  const client = new ControlClient({ child, onNotification: () => undefined, onClosed: () => undefined })
  const path = join(world.scratch, 'value')
  const character = fc.oneof(
    fc.constantFrom(...';#$(){}:.=%@-+!~\n\r\t\x1b"\'\\`&|<>*?[] é🜁'),
    fc.string({ unit: 'binary' })
  )
  const text = fc.array(character, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('').replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      if (value === '') return
      const { refusal } = await client.run([
        ['set-buffer', '-b', 'quoted', '--', value],
        ['save-buffer', '-b', 'quoted', path]
      ])
      expect(refusal).toBeUndefined()
      expect(readFileSync(path, 'utf8')).toBe(Buffer.from(value).toString('utf8'))
    }),
    { numRuns: 500 }
  )
  client.end()
})

test('the person’s umask holds in programs, whatever the host’s is', async () => {
  const before = process.umask(0o077)
  try {
    const backend = await world.backend({ userUmask: 0o027 })
    const { ear } = await world.shell(backend, 'umask')
    await ear.saw('0027')
    expect(process.umask()).toBe(0o077)
  } finally {
    process.umask(before)
  }
})
