import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../log'
import { SettingsStore } from './settingsStore'
import { readSettings } from './settingsValues'

const nothing = { file: {}, environment: {}, flags: {} }

describe('settings values', () => {
  test('a flag wins over the environment, which wins over the file, which wins over the default', () => {
    const file = { max_sessions: 3 }
    const environment = { TANDEM_MAX_SESSIONS: '4' }
    expect(readSettings(nothing).settings.max_sessions).toBe(10)
    expect(readSettings({ ...nothing, file }).settings.max_sessions).toBe(3)
    expect(readSettings({ ...nothing, file, environment }).settings.max_sessions).toBe(4)
    expect(readSettings({ file, environment, flags: { max_sessions: '5' } }).settings.max_sessions).toBe(5)
  })

  test('a value that is not allowed is named with what is allowed, and the default is used', () => {
    const { settings, problems } = readSettings({ ...nothing, environment: { TANDEM_DEFAULT_ROWS: 'many' } })
    expect(settings.default_rows).toBe(24)
    expect(problems).toEqual(['TANDEM_DEFAULT_ROWS is "many"; it must be a whole number from 1 to 500.'])
  })

  test.each(['(', '(?=x)', String.raw`(a)\1`, 'x'.repeat(1001)])(
    'a prompt pattern that the engine does not run is named, and the default is used: %s',
    (pattern) => {
      const { settings, problems } = readSettings({ ...nothing, file: { prompt_pattern: pattern } })
      expect(settings.prompt_pattern).toBe(readSettings(nothing).settings.prompt_pattern)
      expect(problems).toEqual([expect.stringContaining('must be a regular expression in RE2 syntax')])
    }
  )

  test('lists and booleans can be written as text', () => {
    const environment = { TANDEM_PASS_ENV: 'SSH_AUTH_SOCK, DISPLAY', TANDEM_PERSIST_BUFFERS: 'true' }
    const { settings, problems } = readSettings({ ...nothing, environment })
    expect(problems).toEqual([])
    expect(settings.pass_env).toEqual(['SSH_AUTH_SOCK', 'DISPLAY'])
    expect(settings.persist_buffers).toBe(true)
  })

  test('a setting nobody knows is named and ignored', () => {
    expect(readSettings({ ...nothing, file: { colour: 'red' } }).problems).toEqual([
      'Setting "colour" in config.json is not known; it is kept and ignored.'
    ])
  })
})

describe('the settings file', () => {
  let dataDir: string
  const stores: (() => void)[] = []

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tandem-settings-'))
  })
  afterEach(() => {
    for (const close of stores.splice(0)) close()
    rmSync(dataDir, { recursive: true })
  })

  const open = () => new SettingsStore({ dataDir, overrides: { environment: {}, flags: {} }, log: silentLog })
  const inFile = (): unknown => JSON.parse(readFileSync(join(dataDir, 'config.json'), 'utf8'))
  const write = (text: string) => writeFileSync(join(dataDir, 'config.json'), text)

  test('a broken file is kept byte for byte and reported, and defaults hold', () => {
    write('{ not json')
    const settings = open()
    expect(settings.current.default_rows).toBe(24)
    expect(settings.problems[0]).toContain('config.json cannot be read')
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).toBe('{ not json')
  })

  test('what is wrong with flags and variables is said also where there is no file', () => {
    const said: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => void said.push(message) }
    const overrides = { environment: { TANDEM_MAX_SESSIONS: 'abc' }, flags: { backend: 'bogus' } }
    new SettingsStore({ dataDir, overrides, log })
    expect(said).toEqual([
      expect.stringContaining('TANDEM_MAX_SESSIONS is "abc"'),
      expect.stringContaining('--backend is "bogus"')
    ])
  })

  test('a file that is emptied before it is written is read when it is whole', async () => {
    write('{"default_rows": 30}')
    const settings = open()
    stores.push(settings.follow())
    const problems: number[] = []
    stores.push(settings.onChange(() => problems.push(settings.problems.length)))
    write('')
    await new Promise((resolve) => setTimeout(resolve, 5))
    write('{"default_rows": 40}')
    await until(() => settings.current.default_rows === 40)
    expect(problems).toEqual([0])
  })

  test('a change of the file takes effect without a restart, and a broken change does not', async () => {
    write('{"default_rows": 30}')
    const settings = open()
    stores.push(settings.follow())
    expect(settings.current.default_rows).toBe(30)
    await changed(settings, () => write('{"default_rows": 40}'))
    await until(() => settings.current.default_rows === 40)
    await changed(settings, () => write('{"default_rows": '))
    await until(() => settings.problems.length === 1)
    expect(settings.current.default_rows).toBe(40)
  })
  test('a change is written to the file, told to all, and leaves the rest of the file as it was', () => {
    write('{"default_rows": 30, "mine": "kept"}')
    const settings = open()
    let told = 0
    stores.push(settings.onChange(() => told++))
    settings.change('font_size', 16)
    expect(settings.current.font_size).toBe(16)
    expect(inFile()).toEqual({ default_rows: 30, mine: 'kept', font_size: 16 })
    settings.change('font_size', undefined)
    expect(settings.current.font_size).toBe(14)
    expect(inFile()).toEqual({ default_rows: 30, mine: 'kept' })
    expect(told).toBe(2)
  })

  test('a value that is not allowed, or that something stronger overrules, is refused and changes nothing', () => {
    write('{"default_rows": 30}')
    const environment = { TANDEM_THEME: 'dark' }
    const settings = new SettingsStore({ dataDir, overrides: { environment, flags: {} }, log: silentLog })
    expect(() => settings.change('font_size', 'huge')).toThrow('"font_size" cannot be "huge"')
    expect(() => settings.change('font_family', 'x; } body { display: none')).toThrow('"font_family" cannot be')
    expect(() => settings.change('prompt_pattern', '(')).toThrow('"prompt_pattern" cannot be "("')
    expect(() => settings.change('theme', 'light')).toThrow('"theme" is set by TANDEM_THEME')
    expect(inFile()).toEqual({ default_rows: 30 })
  })

  test('a broken file is not written over', () => {
    write('{ not json')
    expect(() => open().change('font_size', 16)).toThrow('"font_size" was not saved')
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).toBe('{ not json')
  })

  test('the report says what each setting is, where it comes from and how it is asked for', () => {
    write('{"font_size": 16}')
    const environment = { TANDEM_THEME: 'dark' }
    const report = new SettingsStore({ dataDir, overrides: { environment, flags: {} }, log: silentLog }).report()
    const entry = (name: string) => report.entries.find((candidate) => candidate.name === name)
    expect(entry('font_size')).toMatchObject({
      group: 'Terminal',
      value: 16,
      fallback: 14,
      isInFile: true,
      overruledBy: null,
      control: { kind: 'number', min: 6, max: 48, isWhole: false }
    })
    expect(entry('theme')).toMatchObject({ value: 'dark', overruledBy: 'TANDEM_THEME', control: { kind: 'choice' } })
    expect(entry('pass_env')).toMatchObject({ control: { kind: 'list' }, isInFile: false })
    expect(entry('cursor_blink')).toMatchObject({ control: { kind: 'toggle' } })
    expect(entry('default_shell')).toMatchObject({ control: { kind: 'text' } })
  })
})

function changed(settings: SettingsStore, act: () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = settings.onChange(() => {
      stop()
      resolve()
    })
    act()
  })
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
