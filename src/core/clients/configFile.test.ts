import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig, writeConfig } from './configFile'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a missing file is made with its folders; one that is there is kept aside before it is replaced', () => {
  const path = join(folder, 'a', 'b', 'mcp.json')
  expect([readConfig(path), writeConfig(path, 'one')]).toEqual(['', { backup: undefined }])
  expect(writeConfig(path, 'two')).toEqual({ backup: `${path}.before-tandem` })
  expect([readConfig(path), readFileSync(`${path}.before-tandem`, 'utf8')]).toEqual(['two', 'one'])
  expect(readdirSync(join(folder, 'a', 'b')).sort()).toEqual(['mcp.json', 'mcp.json.before-tandem'])
})

test('what cannot be read or written is named and left alone', () => {
  mkdirSync(join(folder, 'directory'))
  expect(() => readConfig(join(folder, 'directory'))).toThrow(/directory" cannot be changed/)
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
  expect(() => writeConfig(join(folder, 'dangling'), 'x')).toThrow(/dangling" cannot be changed/)
  expect(readdirSync(folder).sort()).toEqual(['dangling', 'directory'])
})

test('a file that is not to be written stays as it is', () => {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, 'mine')
  chmodSync(path, 0o400)
  expect(() => writeConfig(path, 'x')).toThrow(/cannot be changed/)
  expect([readConfig(path), readdirSync(folder)]).toEqual(['mine', ['mcp.json']])
})
