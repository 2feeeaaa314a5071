import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../log'
import { WindowMemory } from './windowMemory'

let dataDir: string
const memory = () => new WindowMemory({ dataDir, log: silentLog })
const file = () => join(dataDir, 'window-memory.json')

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tandem-memory-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('what a window remembered is there for the next host, for its owner alone', () => {
  memory().remember('view', '{"lastTab":"a"}')
  expect(memory().recall()).toEqual({ view: '{"lastTab":"a"}' })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('the newest are kept and the file stays small', () => {
  const one = memory()
  for (let number = 0; number < 400; number += 1) one.remember(`view ${number}`, 'x')
  const names = Object.keys(memory().recall())
  expect(names).toHaveLength(300)
  expect(names).toContain('view 399')
  expect(() => one.remember('view', 'x'.repeat(20_000))).toThrow('more than there is room for')
})

test('a file that cannot be read counts as nothing remembered', () => {
  writeFileSync(file(), '{"half":')
  const one = memory()
  expect(one.recall()).toEqual({})
  one.remember('view', 'new')
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([['view', 'new']])
})
