import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The launcher in a copied tree with small stand-in sources; the packages are the real ones.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = {
  'src/cli/tandem.ts': 'process.stdout.write(JSON.stringify(process.argv.slice(2)))\n',
  'src/main/index.ts': 'export const main = 1\n',
  'src/core/terminal/patternWorker.mjs': 'globalThis.worker = 1\n',
  'src/preload/index.ts': 'globalThis.preloaded = 1\n',
  'src/renderer/index.html': '<script type="module" src="./src/main.ts"></script>\n',
  'src/renderer/src/main.ts': 'document.title = "stand-in"\n'
}

let root: string

beforeAll(() => {
  root = mkdtempSync('/tmp/tandem-test-launcher-')
  for (const name of ['bin', 'scripts', 'package.json', 'package-lock.json', 'electron.vite.config.ts']) {
    cpSync(join(REPOSITORY, name), join(root, name), { recursive: true })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function tandem(...args: string[]) {
  return spawnSync(process.execPath, [join(root, 'bin/tandem.mjs'), ...args], { encoding: 'utf8', cwd: '/' })
}

const builtAt = () => statSync(join(root, 'out/main/tandem.js')).mtimeMs

test('builds what is not built yet, and stdout is the command’s alone', () => {
  expect(tandem('ls', '--json')).toMatchObject({ status: 0, stdout: '["ls","--json"]' })
})

test('a fresh build is used as it is, in silence', () => {
  const before = builtAt()
  expect(tandem()).toMatchObject({ status: 0, stdout: '[]', stderr: '' })
  expect(builtAt()).toBe(before)
})

test('a changed source is built again before it runs', () => {
  writeFileSync(join(root, 'src/cli/tandem.ts'), "process.stdout.write('second')\n")
  expect(tandem()).toMatchObject({ status: 0, stdout: 'second' })
})

test('a failed build says so, runs nothing, and keeps the last good one', () => {
  appendFileSync(join(root, 'src/cli/tandem.ts'), '}{\n')
  expect(tandem()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('build: failed') })
  expect(spawnSync(process.execPath, [join(root, 'out/main/tandem.js')], { encoding: 'utf8' }).stdout).toBe('second')
})

test('builds leave nothing beside out', () => {
  expect(readdirSync(root).filter((name) => name.startsWith('out'))).toEqual(['out'])
})
