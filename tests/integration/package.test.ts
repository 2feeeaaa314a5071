import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Packs the built app around a placeholder for Electron's binary, to see what is shipped. `npm run build` first.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const MAX_ASAR_BYTES = 6_500_000
// What Electron's binary has its fuses behind: a mark, a version, their number, and one character each.
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = [
  'RunAsNode',
  'CookieEncryption',
  'NodeOptions',
  'NodeInspect',
  'AsarIntegrity',
  'OnlyAsar',
  'BrowserSnapshot',
  'FilePrivileges'
]
const FUSED = Buffer.concat([Buffer.from(FUSE_MARK), Buffer.from([1, FUSES.length]), Buffer.from('1'.repeat(8))])
// Scripts have no types; this is what the file says of itself.
const { updateSource } = (await import(join(REPOSITORY, 'scripts/updateSource.mjs'))) as {
  updateSource(named?: string): string[]
}
const bin = (path: string) => join(REPOSITORY, 'node_modules', path)

let folder: string
let placeholder: string
let resources: string

beforeAll(() => {
  folder = mkdtempSync('/tmp/tandem-test-package-')
  placeholder = join(folder, 'electron')
  mkdirSync(placeholder)
  writeFileSync(join(placeholder, 'LICENSE'), '')
  writeFileSync(join(placeholder, 'electron'), FUSED, { mode: 0o755 })
  resources = pack('dist')
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Packs into a folder of that name, with further words for the packer; returns where the resources lie. */
function pack(name: string, words: readonly string[] = []): string {
  const config = join(REPOSITORY, 'electron-builder.yml')
  const options = [`-c.electronDist=${placeholder}`, `-c.directories.output=${join(folder, name)}`, ...words]
  execFileSync(process.execPath, [bin('electron-builder/cli.js'), '--linux', '--dir', '--config', config, ...options], {
    cwd: REPOSITORY,
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: placeholder },
    stdio: 'pipe'
  })
  const [unpacked = ''] = readdirSync(join(folder, name)).filter((entry) => entry.endsWith('-unpacked'))
  return join(folder, name, unpacked, 'resources')
}

function shipped(): string[] {
  const list = [bin('@electron/asar/bin/asar.js'), 'list', join(resources, 'app.asar')]
  return execFileSync(process.execPath, list, { encoding: 'utf8' }).trim().split('\n')
}

test('the package holds the built app and of all packages only node-pty', () => {
  const paths = shipped()
  expect(paths).toEqual(
    expect.arrayContaining([
      '/out/main/index.js',
      '/out/main/tandem.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html'
    ])
  )
  const packages = paths.map((path) => /^\/node_modules\/([^/]+)/.exec(path)?.[1]).filter(Boolean)
  expect([...new Set(packages)]).toEqual(['node-pty'])
  expect(paths.filter((path) => /^\/(src|tests|docs|scripts)\b|\.test\.|win32/.test(path))).toEqual([])
})

test('the native module lies outside the archive, where it can be loaded', () => {
  const native = join(resources, 'app.asar.unpacked/node_modules/node-pty/build/Release/pty.node')
  expect(statSync(native).size).toBeGreaterThan(0)
})

test.each([
  ['tandem-app', 'resources'],
  ['MacOS/Tandem', 'Resources']
])(
  '`tandem` runs the packed command line in the app’s own program (%s), also through a link',
  (name, resourcesName) => {
    const app = mkdtempSync(join(folder, 'an app-'))
    const launcher = join(app, resourcesName, 'bin/tandem')
    for (const path of [launcher, join(app, name)]) mkdirSync(dirname(path), { recursive: true })
    cpSync(join(resources, 'bin/tandem'), launcher)
    writeFileSync(join(app, resourcesName, 'app.asar'), '')
    const script = `#!/bin/sh\nprintf '%s\\n' "$ELECTRON_RUN_AS_NODE" "$@"\n`
    writeFileSync(join(app, name), script, { mode: 0o755 })
    mkdirSync(join(app, 'on the path'))
    const link = join(app, 'on the path/tandem')
    symlinkSync(`../${resourcesName}/bin/tandem`, link)
    const entry = join(realpathSync(app), resourcesName, 'app.asar/out/main/tandem.js')
    for (const command of [launcher, link]) {
      const words = ['ls', '--data-dir', 'a b']
      expect(execFileSync(command, words, { encoding: 'utf8' }).split('\n')).toEqual(['1', entry, ...words, ''])
    }
    rmSync(join(app, name))
    expect(spawnSync(link, ['ls'], { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not there')
    })
  }
)

test('a package for Debian puts `tandem` on the PATH, and no window has that name', () => {
  const config = readFileSync(join(REPOSITORY, 'electron-builder.yml'), 'utf8')
  const [, source = ''] = /fpm: \[(\S+)=\/usr\/bin\/tandem\]/.exec(config) ?? []
  expect(readFileSync(join(REPOSITORY, source), 'utf8')).toBe(readFileSync(join(resources, 'bin/tandem'), 'utf8'))
  expect(statSync(join(REPOSITORY, source)).mode & 0o111).toBe(0o111)
  expect(readdirSync(dirname(resources))).not.toContain('tandem')
})

test('the archive stays small', () => {
  expect(statSync(join(resources, 'app.asar')).size).toBeLessThan(MAX_ASAR_BYTES)
})

test('the fuses are as the decision says', () => {
  const [unpacked = ''] = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('-unpacked'))
  const binary = readFileSync(join(folder, 'dist', unpacked, 'tandem-app'))
  const wire = binary.subarray(binary.indexOf(FUSE_MARK) + FUSE_MARK.length + 2).toString()
  const isOn = Object.fromEntries(FUSES.map((name, index) => [name, wire[index] === '1']))
  const off = { NodeOptions: false, NodeInspect: false, FilePrivileges: false }
  expect(isOn).toMatchObject({ RunAsNode: true, CookieEncryption: true, AsarIntegrity: true, OnlyAsar: true, ...off })
})

test('a package looks for newer versions only where it was told to when it was made', { timeout: 120_000 }, () => {
  expect(existsSync(join(resources, 'app-update.yml'))).toBe(false)
  const told = pack('told', ['--publish', 'never', ...updateSource('someone/tandem')])
  const source = readFileSync(join(told, 'app-update.yml'), 'utf8')
  expect(source).toContain('provider: github\n')
  expect(source).toContain('owner: someone\n')
  expect(source).toContain('repo: tandem\n')
})

test('a source of updates is a repository or an https address; anything else is refused', () => {
  expect(updateSource(undefined)).toEqual([])
  expect(updateSource('https://example.org/tandem/')).toEqual([
    '-c.publish.provider=generic',
    '-c.publish.url=https://example.org/tandem/'
  ])
  for (const wrong of ['tandem', 'http://example.org/', 'a/b/c', 'some one/tandem']) {
    expect(() => updateSource(wrong)).toThrow(`TANDEM_UPDATES is "${wrong}"`)
  }
})
