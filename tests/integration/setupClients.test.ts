import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AGENT_CLIENTS } from '../../src/core/clients/agentClients'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'

const CLIENT_PROGRAM = fileURLToPath(new URL('../harness/agents/clientProgram.mjs', import.meta.url))
/** The command line of each client that has one. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  vscode: 'code'
}
const ODD_FILES: Readonly<Record<string, string | undefined>> = {
  missing: undefined,
  empty: '',
  'an empty object': '{}',
  'an empty list of servers': '{\r\n\t"mcpServers": {\r\n\t}\r\n}',
  'full of comments': '\ufeff// a\n{ // b\n  "mcpServers": { /* c */ }, // d\n}\n// e\n',
  'in one line': '{"a":1}'
}

let world: World
let tandem: Tandem
let programs: string
let seen: string

beforeAll(async () => {
  world = makeWorld()
  programs = join(world.root, 'bin')
  seen = join(world.root, 'seen')
  mkdirSync(programs)
  world.environment.TANDEM_DATA_DIR = world.dataDir
  world.environment.PATH = `${programs}:/usr/bin:/bin`
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})
beforeEach(() => writeFileSync(seen, ''))

const setup = (...words: string[]) => runTandem(world, ['setup', ...words])
const pathOf = (id: string) => AGENT_CLIENTS.find((client) => client.id === id)?.configPath(world.environment) ?? ''
function put(id: string, text: string): string {
  mkdirSync(dirname(pathOf(id)), { recursive: true })
  writeFileSync(pathOf(id), text)
  return pathOf(id)
}
/** A program in the place of the client's own, which notes what it was asked. */
function standIn(id: string, mode = 'works'): void {
  const name = PROGRAMS[id] ?? ''
  const words = [process.execPath, CLIENT_PROGRAM, name, pathOf(id), seen, mode].map((word) => `'${word}'`)
  writeFileSync(join(programs, name), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 })
}
const asked = () =>
  readFileSync(seen, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string[])

describe('clients without a program of their own', () => {
  test.each(['cursor', 'claude-desktop', 'vscode', 'gemini', 'claude-code', 'codex'])(
    '%s: the file is shown, changed with a backup, tried, left alone the second time, and put back',
    async (id) => {
      const before = id === 'codex' ? '# mine\nmodel = "x"\n' : '{\n  // mine\n  "other": true\n}\n'
      const path = put(id, before)
      const printed = await setup(id, '--print')
      expect([printed.code, readFileSync(path, 'utf8')]).toEqual([0, before])
      expect(printed.stdout).toContain(path)
      expect((await setup(id)).stderr).toContain('--yes')
      const done = await setup(id, '--yes')
      expect([done.code, done.stderr]).toEqual([0, ''])
      expect(done.stdout).toMatch(/is connected: a bridge answered with \d+ tools/)
      const after = readFileSync(path, 'utf8')
      expect(after).toContain('mine')
      expect(after).toContain(world.dataDir)
      expect(after + done.stdout).not.toContain(tandem.ready.token)
      expect(readFileSync(`${path}.before-tandem`, 'utf8')).toBe(before)
      expect((await setup(id, '--yes')).stdout).toContain('connected already')
      expect(readFileSync(path, 'utf8')).toBe(after)
      expect((await setup(id, '--yes', '--remove')).code).toBe(0)
      expect(readFileSync(path, 'utf8')).toBe(before)
      expect((await setup(id, '--yes', '--remove')).stdout).toContain('is not connected')
    }
  )

  test('a file that is broken is left untouched and named', async () => {
    const broken = put('cursor', '{ "mcpServers": ')
    const refused = await setup('cursor', '--yes')
    expect([refused.code, readFileSync(broken, 'utf8')]).toEqual([1, '{ "mcpServers": '])
    expect(refused.stderr).toContain('not JSON')
    writeFileSync(broken, '{}\n')
  })

  test.each(Object.entries(ODD_FILES))('a file that is %s comes back as it was, byte for byte', async (_, before) => {
    const path = put('cursor', '')
    rmSync(`${path}.before-tandem`, { force: true })
    if (before === undefined) rmSync(path)
    else writeFileSync(path, before)
    expect((await setup('cursor', '--yes')).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toContain('tandem')
    expect((await setup('cursor', '--yes', '--remove')).code).toBe(0)
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before)
  })

  test('what somebody else changed meanwhile stays when the connection goes', async () => {
    const path = put('cursor', '{\n  "mine": 1\n}\n')
    await setup('cursor', '--yes')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"mine": 1', '"mine": 2 // new'))
    expect((await setup('cursor', '--yes', '--remove')).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe('{\n  "mcpServers": {},\n  "mine": 2 // new\n}\n')
  })

  test('a file that may not be written, or is not UTF-8, is left untouched and named', async () => {
    const path = put('cursor', '{}\n')
    chmodSync(path, 0o444)
    const readOnly = await setup('cursor', '--yes')
    expect([readOnly.code, readFileSync(path, 'utf8')]).toEqual([1, '{}\n'])
    expect(readOnly.stderr).toMatch(/cannot be changed: .*(read-only|EACCES).*left as it is/)
    chmodSync(path, 0o644)
    const bytes = Buffer.from('{ "name": "M\u00fcller" }', 'latin1')
    writeFileSync(path, bytes)
    const latin = await setup('cursor', '--yes')
    expect([latin.code, readFileSync(path).equals(bytes)]).toEqual([1, true])
    expect(latin.stderr).toContain('not UTF-8')
    rmSync(path)
  })

  test('a link stays a link, and the mode of its target stays', async () => {
    const real = join(world.root, 'dotfiles.json')
    writeFileSync(real, '{}\n')
    chmodSync(real, 0o640)
    const path = pathOf('cursor')
    rmSync(path, { force: true })
    symlinkSync(real, path)
    expect((await setup('cursor', '--yes')).code).toBe(0)
    expect([lstatSync(path).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o640])
    expect(readFileSync(real, 'utf8')).toContain('tandem')
  })
})

describe('clients with a program of their own', () => {
  beforeEach(() => {
    for (const id of Object.keys(PROGRAMS)) rmSync(pathOf(id), { force: true })
  })
  afterEach(() => {
    for (const name of Object.values(PROGRAMS)) rmSync(join(programs, name), { force: true })
  })

  test.each(Object.keys(PROGRAMS))(
    '%s is asked through it, tried, left alone the second time, and parted',
    async (id) => {
      standIn(id)
      const printed = await setup(id, '--print')
      expect([printed.code, asked()]).toEqual([0, []])
      const done = await setup(id, '--yes')
      expect([done.code, done.stderr]).toEqual([0, ''])
      expect(done.stdout).toMatch(/is connected: a bridge answered with \d+ tools/)
      const [words = [], ...more] = asked()
      expect(more).toEqual([])
      // What was shown is what was run.
      for (const word of words) expect(printed.stdout).toContain(word.replaceAll("'", `'\\''`))
      if (id === 'claude-code') expect(words.slice(0, 6)).toEqual(['mcp', 'add', '--scope', 'user', 'tandem', '--'])
      if (id === 'vscode')
        expect(JSON.parse(words[1] ?? '')).toMatchObject({ name: 'tandem', command: process.execPath })
      expect(words.join(' ')).not.toContain(tandem.ready.token)
      expect((await setup(id, '--yes')).stdout).toContain('connected already')
      expect((await setup(id, '--yes', '--remove')).code).toBe(0)
      expect(readFileSync(pathOf(id), 'utf8')).not.toContain('tandem')
    }
  )

  test.each([
    ['refuses', /Claude Code refused: no room/],
    ['old', /refused: error: unknown command 'mcp'\. .*Update Claude Code \(this is 0\.9\.1\)/],
    ['silent', /said it was done, but ".*\.claude\.json" does not show it\. .*Update Claude Code/]
  ])('one that %s is told, with the lines to add by hand, and its file is left as it is', async (mode, told) => {
    const path = put('claude-code', '{ "mine": true }\n')
    standIn('claude-code', mode)
    const { code, stdout, stderr } = await setup('claude-code', '--yes')
    expect(code).toBe(1)
    expect(stderr).toMatch(told)
    expect(stderr).toContain('+ { "mcpServers":')
    expect(stdout).not.toContain('is connected')
    expect(readFileSync(path, 'utf8')).toBe('{ "mine": true }\n')
  })

  test('one that asks a question gets no answer, and keeps nobody waiting', async () => {
    standIn('codex', 'asks')
    expect((await setup('codex', '--yes')).code).toBe(0)
  })

  test('one that refuses does not keep the others from being connected', async () => {
    standIn('claude-code', 'refuses')
    standIn('gemini')
    const all = await setup('--all', '--yes')
    expect(all.code).toBe(1)
    expect(all.stderr).toContain('Claude Code refused')
    expect(all.stdout).toMatch(/Gemini CLI is connected/)
  })
})

test('words that are not known are told', async () => {
  expect(await setup()).toMatchObject({ code: 2 })
  expect(await setup('emacs')).toMatchObject({ code: 2 })
})
