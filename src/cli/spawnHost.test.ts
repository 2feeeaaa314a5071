import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawnHost } from './spawnHost'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-spawn-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that writes down what it was started with. */
function recorder(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.words'\n`, { mode: 0o755 })
  return path
}

const wordsOf = (program: string) => readFileSync(`${program}.words`, 'utf8').trim().split('\n')

test('a host is started with the program that it is given', async () => {
  const program = recorder('tandem')
  await once(spawnHost('/data', { command: [program], flags: ['--port', '0'], environment: {} }), 'exit')
  expect(wordsOf(program)).toEqual(['serve', '--data-dir', '/data', '--port', '0'])
})

test('from an AppImage the image itself is started, so that its files stay as long as the host', async () => {
  const image = recorder('Tandem.AppImage')
  const environment = { APPIMAGE: image, APPDIR: join(folder, 'mounted') }
  const command = ['/no/such/program', join(folder, 'mounted/tandem.mjs')]
  await once(spawnHost('/data', { command, environment }), 'exit')
  expect(wordsOf(image)).toEqual([
    '-e',
    expect.stringContaining('tandem.mjs'),
    'serve',
    '--data-dir',
    '/data',
    '--no-sandbox'
  ])
})
