import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Electron itself is not there under the tests; this file only chooses among words.
vi.mock('electron', () => ({ dialog: {} }))
const { folderIn } = await import('./folders')

let folder: string
beforeAll(() => {
  folder = mkdtempSync('/tmp/tandem-folders-')
  writeFileSync(join(folder, 'file'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a folder is taken from the words after the app, packaged or not', () => {
  expect(folderIn(['tandem', folder], true)).toBe(folder)
  expect(folderIn(['electron', '/app', folder], false)).toBe(folder)
  expect(folderIn(['tandem', folder, '--no-sandbox'], true)).toBe(folder)
  expect(folderIn(['electron', folder], false)).toBeUndefined()
  expect(folderIn(['tandem'], true)).toBeUndefined()
})

const SCHEMES = ['tandem', 'file', 'http', 'https', 'javascript', 'data', 'vscode', 'ms-msdt', 'ssh', 'x-man-page']
const TAILS = [
  '//run?command=id',
  ':/etc',
  ':%2e%2e',
  '//open/../../',
  ':;id',
  '//$(id)',
  '//`id`',
  ':\u0000',
  ':\n-e id',
  ''
]

test('a hundred hostile words name no folder', () => {
  const hostile = SCHEMES.flatMap((scheme) => TAILS.map((tail) => `${scheme}${tail}`))
  expect(hostile).toHaveLength(100)
  const words = [
    ...hostile,
    '--inspect=1',
    '-e',
    'relative',
    '..',
    '',
    join(folder, 'file'),
    `${folder}\0`,
    '/no/such/folder'
  ]
  for (const word of words) expect(folderIn(['tandem', word], true)).toBeUndefined()
})
