import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { defaultShell, findProgram } from './findProgram'
import { programEnvironment } from './programEnvironment'

const settings = { term: 'xterm-256color', pass_env: [] as string[] }
const SECRETS = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'GITHUB_TOKEN',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'MY_TOKEN_FILE',
  'TOKEN',
  'x_secret_y',
  'DbPassword',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'Some_Api_Key',
  'ELECTRON_RUN_AS_NODE',
  'electron_x',
  'VSCODE_PID',
  'NODE_OPTIONS',
  'Node_Options',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_X',
  'SNAP',
  'SNAP_NAME',
  'SNAPPY',
  'TANDEM_TOKEN',
  'GDK_PIXBUF_MODULE_FILE',
  'DEBUG',
  'TMUX',
  'TMUX_PANE'
]

describe('the environment of a program', () => {
  test.each(SECRETS)('%s does not get in', (name) => {
    expect(programEnvironment({ host: { [name]: 'canary', HOME: '/h' }, settings })).not.toHaveProperty(name)
  })

  test.each([
    'PATH',
    'HOME',
    'LANG',
    'SHELL',
    'EDITOR',
    'KEYBOARD',
    'API_KEY_NAME_X',
    'LD_LIBRARY_PATH',
    'XDG_RUNTIME_DIR',
    'TANDEM_DATA_DIR'
  ])('%s does', (name) => {
    expect(programEnvironment({ host: { [name]: 'value' }, settings })).toHaveProperty(name, 'value')
  })

  test('a variable of pass_env gets in, and only by its exact name', () => {
    const host = { SSH_AUTH_SOCK: '/s', SSH_AGENT_PID: '1' }
    const environment = programEnvironment({ host, settings: { ...settings, pass_env: ['SSH_AUTH_SOCK'] } })
    expect(environment).toMatchObject({ SSH_AUTH_SOCK: '/s' })
    expect(environment).not.toHaveProperty('SSH_AGENT_PID')
  })

  test('TERM is the setting, whatever the host has, and the caller comes last', () => {
    const host = { TERM: 'dumb', TERM_PROGRAM_VERSION: '1' }
    expect(programEnvironment({ host, settings })).toEqual({
      TERM: 'xterm-256color',
      TERM_PROGRAM: 'tandem',
      COLORTERM: 'truecolor'
    })
    expect(programEnvironment({ host, settings, requested: { TERM: 'vt100', GITHUB_TOKEN: 'mine' } })).toMatchObject({
      TERM: 'vt100',
      GITHUB_TOKEN: 'mine'
    })
  })

  test('TMUX never gets in, not even when asked for', () => {
    const environment = programEnvironment({
      host: {},
      settings: { ...settings, pass_env: ['TMUX'] },
      requested: { TMUX: '/x,1,0' }
    })
    expect(environment).not.toHaveProperty('TMUX')
  })

  test.each([{ '': 'x' }, { 'a=b': 'x' }, { '1a': 'x' }, { 'a b': 'x' }, { a: 'x\0y' }])(
    '%j is refused',
    (requested) => {
      expect(() => programEnvironment({ host: {}, settings, requested })).toThrow(/env/)
    }
  )

  test('__proto__ is a name like any other', () => {
    const environment = programEnvironment({
      host: {},
      settings,
      requested: JSON.parse('{"__proto__":"x"}') as Record<string, string>
    })
    expect(Object.getPrototypeOf(environment)).toBe(Object.prototype)
  })
})

describe('finding a program', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-programs-'))
  writeFileSync(join(directory, 'run'), '', { mode: 0o755 })
  writeFileSync(join(directory, 'text'), '', { mode: 0o644 })
  afterAll(() => rmSync(directory, { recursive: true }))

  test('by path or by name on PATH', async () => {
    expect(await findProgram(join(directory, 'run'), {})).toBe(join(directory, 'run'))
    expect(await findProgram('run', { PATH: `relative:/nonexistent:${directory}` })).toBe(join(directory, 'run'))
  })

  test.each(['', 'nobody', './run', 'a/b', '/nonexistent', '/tmp', 'x\0y'])(
    '%j is not found, and named',
    async (program) => {
      await expect(findProgram(program, { PATH: directory })).rejects.toMatchObject({
        code: 'PROGRAM_NOT_FOUND',
        message: `Program not found: ${JSON.stringify(program)}`
      })
    }
  )

  test('a file that is not executable is no program', async () => {
    await expect(findProgram('text', { PATH: directory })).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' })
  })

  test('the shell is the setting, else SHELL, else bash', () => {
    expect(defaultShell('/bin/zsh', { SHELL: '/bin/fish' })).toBe('/bin/zsh')
    expect(defaultShell('', { SHELL: '/bin/fish' })).toBe('/bin/fish')
    expect(defaultShell('', {})).toBe('/bin/bash')
  })
})
