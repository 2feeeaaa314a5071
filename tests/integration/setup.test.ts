import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Setup in a copied tree, on a machine whose PATH holds only what the test put there.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const IS_ROOT = process.getuid?.() === 0
const TEST_TOOL_LISTS = ['tests/tools/package.json', 'tests/tools/package-lock.json']
const PLAIN_TOOLS = ['c++', 'make', 'python3']
const DRIVEN_TOOLS = ['less', 'nano', 'vim', 'htop', 'fzf', 'dialog', 'busybox']
const SYSTEM_TOOLS = ['git', 'bash', 'zsh', 'fish', 'chromium', 'dash', 'ps', 'setpriv', 'strace', 'faketime']
const EXTRA_TOOLS = ['sshd', 'sudo', 'tcsh', 'runc', 'bwrap']
const TEST_TOOLS = [...SYSTEM_TOOLS, ...DRIVEN_TOOLS, ...EXTRA_TOOLS]

let root: string
let tools: string

beforeEach(() => {
  root = mkdtempSync('/tmp/tandem-test-setup-')
  chmodSync(root, 0o755)
  tools = join(root, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'package.json'), '{"type":"commonjs"}')
  mkdirSync(join(root, 'tests'))
  for (const name of ['scripts', 'package.json', 'package-lock.json', ...TEST_TOOL_LISTS]) {
    cpSync(join(REPOSITORY, name), join(root, name), { recursive: true })
  }
  symlinkSync(process.execPath, join(tools, 'node'))
  addProgram('npm', npmStandIn())
  addProgram('tmux', "console.log('tmux 3.4')")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function addProgram(name: string, script = ''): void {
  const note = `require('node:fs').appendFileSync(${JSON.stringify(join(root, 'calls'))}, `
  const call = `JSON.stringify([${JSON.stringify(name)}, ...process.argv.slice(2)]) + '\\n')`
  writeFileSync(join(tools, name), `#!${process.execPath}\n${note}${call}\n${script}\n`, { mode: 0o755 })
}

/** Holds a program that can be ended, as node-pty does. */
const PTY_STAND_IN = `
  const { openSync } = require('node:fs')
  const { spawn } = require('node:child_process')
  exports.spawn = () => ({ fd: openSync('/dev/null'), pid: spawn('/bin/sleep', ['5']).pid })`

/** `npm ci` leaves what the real one leaves: its record of the installed packages, and a node-pty that loads. */
function npmStandIn(): string {
  const at = (path: string) => JSON.stringify(join(root, path))
  return `
    const fs = require('node:fs')
    if (process.argv[2] === 'config') { console.log('undefined'); process.exit(0) }
    fs.writeFileSync(${at('nodedir')}, String(process.env.npm_config_nodedir))
    fs.mkdirSync(${at('node_modules/node-pty/build/Release')}, { recursive: true })
    fs.writeFileSync(${at('node_modules/node-pty/build/Release/pty.node')}, '')
    fs.writeFileSync(${at('node_modules/node-pty/index.js')}, ${JSON.stringify(PTY_STAND_IN)})
    fs.mkdirSync('node_modules', { recursive: true })
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')`
}

function setup(args: string[] = [], { as, pretend = '' }: { as?: number; pretend?: string } = {}) {
  const preload = pretend ? ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`] : []
  const command = [process.execPath, ...preload, join(root, 'scripts/setup.mjs'), ...args]
  const drop = as === undefined ? [] : ['/usr/bin/setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups']
  const [program = '', ...rest] = [...drop, ...command]
  return spawnSync(program, rest, { env: { PATH: tools, HOME: root }, encoding: 'utf8', cwd: '/' })
}

function calls(): string[][] {
  const path = join(root, 'calls')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
}

const called = (name: string) => calls().filter(([program]) => program === name)

describe('setup', () => {
  test('installs packages once and then leaves them alone, without a word on stdout', () => {
    for (const name of PLAIN_TOOLS) addProgram(name)
    const first = setup()
    expect(first).toMatchObject({ status: 0, stdout: '' })
    expect(called('npm').filter(([, verb]) => verb === 'ci')).toHaveLength(1)
    expect(setup()).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(called('npm').filter(([, verb]) => verb === 'ci')).toHaveLength(1)
  })

  test('installs again when the lock file changed', () => {
    for (const name of PLAIN_TOOLS) addProgram(name)
    setup()
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
    writeFileSync(join(root, 'package-lock.json'), lock.replace('"version": "1.1.0"', '"version": "1.1.9"'))
    expect(setup().status).toBe(0)
    expect(called('npm').filter(([, verb]) => verb === 'ci')).toHaveLength(2)
  })

  test('for the tests it also installs the programs that only they run, once', () => {
    for (const name of [...PLAIN_TOOLS, ...TEST_TOOLS]) addProgram(name)
    expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '' })
    expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(called('npm').filter(([, verb]) => verb === 'ci')).toHaveLength(2)
    expect(existsSync(join(root, 'tests/tools/node_modules/.package-lock.json'))).toBe(true)
  })

  test('accepts packages that someone installed by hand', () => {
    execFileSync(join(tools, 'npm'), ['ci'], { env: { PATH: tools }, cwd: root })
    expect(setup().status).toBe(0)
    expect(called('npm').filter(([, verb]) => verb === 'ci')).toHaveLength(1)
  })

  test.runIf(existsSync('/usr/include/node/node_api.h'))('tells the build where the headers of Node are', () => {
    for (const name of PLAIN_TOOLS) addProgram(name)
    setup()
    expect(readFileSync(join(root, 'nodedir'), 'utf8')).toMatch(/^\//)
  })

  test('a node-pty that does not load is built again once', () => {
    for (const name of PLAIN_TOOLS) addProgram(name)
    setup()
    writeFileSync(join(root, 'node_modules/node-pty/index.js'), 'throw new Error("wrong build")')
    expect(setup()).toMatchObject({ status: 0, stderr: expect.stringContaining('building node-pty') })
    expect(called('npm').filter(([, verb]) => verb === 'rebuild')).toEqual([['npm', 'rebuild', 'node-pty']])
  })

  test.runIf(IS_ROOT)(
    'as root with apt it installs exactly what is missing, after one update, and asks nothing',
    () => {
      rmSync(join(tools, 'tmux'))
      for (const name of TEST_TOOLS.filter((tool) => tool !== 'fish')) addProgram(name)
      addProgram('make')
      addProgram('python3')
      addProgram('apt-get', aptStandIn({ tmux: 'tmux', 'g++': 'g++', fish: 'fish' }))
      expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '' })
      const [update, install, ...others] = called('apt-get')
      expect(update?.[1]).toBe('update')
      expect(install?.slice(1)).toEqual(expect.arrayContaining(['install', '-y', 'tmux', 'g++', 'fish']))
      expect(install).not.toContain('zsh')
      expect(others).toEqual([])
      expect(readFileSync(join(root, 'frontend'), 'utf8')).toBe('noninteractive')
    }
  )

  test.runIf(IS_ROOT)('what only some tests want is installed by itself, and done without where it cannot be', () => {
    for (const name of [...PLAIN_TOOLS, ...TEST_TOOLS.filter((tool) => tool !== 'tcsh')]) addProgram(name)
    expect(setup(['--tests'])).toMatchObject({ status: 0, stderr: expect.stringContaining('without tcsh') })
    addProgram('apt-get', 'process.exit(100)')
    expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '' })
    addProgram('apt-get', aptStandIn({ tcsh: 'tcsh' }))
    expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '' })
    expect(setup(['--tests'])).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(called('apt-get').at(-1)).toEqual(expect.arrayContaining(['install', '-y', 'tcsh']))
  })

  test.runIf(IS_ROOT)('what apt cannot give is named, and nothing is half done', () => {
    rmSync(join(tools, 'tmux'))
    for (const name of PLAIN_TOOLS) addProgram(name)
    addProgram('apt-get', 'process.exit(100)')
    expect(setup()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('apt-get install -y tmux') })
    expect(called('npm')).toEqual([])
    expect(existsSync(join(root, 'node_modules'))).toBe(false)
  })

  test.runIf(IS_ROOT).each([
    ['apt-get', 'sudo apt-get install -y tmux g++'],
    ['dnf', 'sudo dnf install -y tmux gcc-c++'],
    ['pacman', 'sudo pacman -S --needed tmux gcc'],
    ['brew', 'brew install tmux']
  ])('without root and with %s it says the one line to run and touches nothing', (manager, line) => {
    rmSync(join(tools, 'tmux'))
    addProgram('make')
    addProgram('python3')
    if (manager === 'brew') addProgram('c++')
    addProgram(manager)
    const { status, stdout, stderr } = setup([], { as: 65534 })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr.split('\n').map((text) => text.trim())).toContain(line)
    expect(calls()).toEqual([])
    expect(existsSync(join(root, 'node_modules'))).toBe(false)
  })

  test('an old tmux is good enough to start with, and said; the tests refuse it', () => {
    for (const name of [...PLAIN_TOOLS, ...TEST_TOOLS]) addProgram(name)
    addProgram('tmux', "console.log('tmux 3.2a')")
    expect(setup()).toMatchObject({ status: 0, stderr: expect.stringContaining('tmux 3.2a is older than 3.3') })
    expect(setup(['--tests']).status).toBe(1)
  })

  test('an old Node is told which one is needed', () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
    const { status, stderr } = setup([], { pretend })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^setup: Node 20\.19 or newer is needed; this is 18\.20\.4\..*\n$/)
    expect(calls()).toEqual([])
  })

  test('its first file has no syntax that an old Node cannot read', () => {
    const source = readFileSync(join(REPOSITORY, 'scripts/setup.mjs'), 'utf8')
    expect(source).not.toMatch(/\?\.|\?\?|^await |\|\|=|#[a-z]/m)
  })

  test('Windows is refused in one line', () => {
    const { status, stderr } = setup([], { pretend: "Object.defineProperty(process, 'platform', { value: 'win32' })" })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^setup: Windows is not supported; .*\n$/)
  })
})

/** Makes a program for every package it is asked for, as apt would. */
function aptStandIn(programs: Record<string, string>): string {
  return `
    const fs = require('node:fs')
    const programs = ${JSON.stringify(programs)}
    fs.writeFileSync(${JSON.stringify(join(root, 'frontend'))}, process.env.DEBIAN_FRONTEND)
    if (process.argv[2] === 'install') for (const name of process.argv.slice(3)) {
      if (programs[name]) fs.writeFileSync(${JSON.stringify(tools)} + '/' + programs[name],
        '#!' + process.execPath + '\\nconsole.log("tmux 3.4")\\n', { mode: 0o755 })
    }`
}
