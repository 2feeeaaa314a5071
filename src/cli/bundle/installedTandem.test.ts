import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installedTandem } from './installedTandem'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-installed-')))
  mkdirSync(join(root, 'bin'))
})
afterEach(() => rmSync(root, { recursive: true }))

const find = (PATH: string) => installedTandem({ HOME: root, PATH })
const addProgram = (path: string) => writeFileSync(path, '', { mode: 0o755 })

test('a command on the PATH is run as it is', () => {
  addProgram(join(root, 'bin/tandem'))
  const found = find(join(root, 'bin'))
  expect(found?.command).toEqual([join(root, 'bin/tandem')])
  expect(found?.environment.ELECTRON_RUN_AS_NODE).toBeUndefined()
})

test('where a client’s PATH is short, the folders of installers are looked through, and are there for the host too', () => {
  mkdirSync(join(root, '.local/bin'), { recursive: true })
  addProgram(join(root, '.local/bin/tandem'))
  const found = find('/nowhere')
  expect(found?.command).toEqual([join(root, '.local/bin/tandem')])
  expect(found?.environment.PATH).toMatch(/^\/nowhere:.*\.local\/bin$/)
})

test.each([
  ['tandem-app', 'resources'],
  ['Contents/MacOS/Tandem', 'Contents/Resources']
])(
  'the program of a packaged app (%s) runs its packed command line instead of opening a window',
  (program, resources) => {
    const app = join(root, 'app')
    mkdirSync(join(app, 'Contents/MacOS'), { recursive: true })
    mkdirSync(join(app, resources), { recursive: true })
    addProgram(join(app, program))
    writeFileSync(join(app, resources, 'app.asar'), '')
    symlinkSync(join(app, program), join(root, 'bin/tandem'))
    const found = find(join(root, 'bin'))
    expect(found?.command).toEqual([join(root, 'bin/tandem'), join(app, resources, 'app.asar/out/main/tandem.js')])
    expect(found?.environment.ELECTRON_RUN_AS_NODE).toBe('1')
  }
)
