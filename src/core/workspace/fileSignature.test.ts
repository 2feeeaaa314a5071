import { chmodSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileSignature } from './fileSignature'

let root: string
const signature = () => fileSignature(join(root, 'inner'), 'file')
const settled = () => vi.waitFor(async () => expect(await signature()).toBeDefined(), { timeout: 10_000, interval: 20 })

beforeEach(() => {
  root = mkdtempSync('/tmp/tandem-test-')
  mkdirSync(join(root, 'inner'))
  writeFileSync(join(root, 'inner/file'), 'one')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a file that nobody touches keeps its signature', async () => {
  await settled()
  expect(await signature()).toBe(await signature())
})

test('a file that changed just now has none, so that a second change is not missed', async () => {
  writeFileSync(join(root, 'inner/file'), 'two')
  expect(await signature()).toBeUndefined()
})

const CHANGES: [what: string, change: () => void][] = [
  ['written in place', () => writeFileSync(join(root, 'inner/file'), 'two')],
  ['made unreadable', () => chmodSync(join(root, 'inner/file'), 0o000)],
  ['given a second name', () => linkSync(join(root, 'inner/file'), join(root, 'other'))],
  [
    'replaced by another',
    () => {
      writeFileSync(join(root, 'new'), 'one')
      renameSync(join(root, 'new'), join(root, 'inner/file'))
    }
  ]
]

test.each(CHANGES)('a file that was %s is told from before', async (_what, change) => {
  await settled()
  const before = await signature()
  change()
  expect(await signature()).not.toBe(before)
  await settled()
  expect(await signature()).not.toBe(before)
})

test('a directory that became a link has none, although the file is the same', async () => {
  await settled()
  renameSync(join(root, 'inner'), join(root, 'moved'))
  symlinkSync(join(root, 'moved'), join(root, 'inner'))
  expect(await signature()).toBeUndefined()
})

test('a missing file has none', async () => {
  rmSync(join(root, 'inner/file'))
  expect(await signature()).toBeUndefined()
})
