import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AGENT_CLIENTS } from './agentClients'
import { ownBridge } from './ownBridge'

let folder: string
const [terminal, desktop] = ['claude-code', 'claude-desktop'].map((id) => AGENT_CLIENTS.find((one) => one.id === id))
if (!terminal || !desktop) throw new Error('both are known')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-bridge-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  Reflect.deleteProperty(process.versions, 'electron')
})

const bridge = (client: typeof terminal, environment: NodeJS.ProcessEnv) =>
  ownBridge(client, { environment, script: '/app/tandem.js' })

function asElectron(): void {
  Object.defineProperty(process.versions, 'electron', { value: '45.0.0', configurable: true })
}

test('by name where tandem is on the PATH, with full paths for clients that have another PATH', () => {
  writeFileSync(join(folder, 'tandem'), '#!/bin/sh\n', { mode: 0o755 })
  expect(bridge(terminal, { PATH: folder })).toEqual({ command: 'tandem', args: ['mcp'] })
  const full = { command: process.execPath, args: ['/app/tandem.js', 'mcp'] }
  expect([bridge(desktop, { PATH: folder }), bridge(terminal, { PATH: '' })]).toEqual([full, full])
})

test('a packaged app is run as Node', () => {
  asElectron()
  expect(bridge(desktop, {})).toEqual({
    command: '/usr/bin/env',
    args: ['ELECTRON_RUN_AS_NODE=1', process.execPath, '/app/tandem.js', 'mcp']
  })
})

describe('from an AppImage', () => {
  let mounted: string
  let image: string

  beforeEach(() => {
    asElectron()
    mounted = join(folder, 'mounted')
    image = join(folder, 'Tandem 1.AppImage')
    mkdirSync(join(mounted, 'resources'), { recursive: true })
    writeFileSync(join(mounted, 'tandem'), '#!/bin/sh\n', { mode: 0o755 })
  })

  const fromImage = (client: typeof terminal, more: NodeJS.ProcessEnv = {}) =>
    ownBridge(client, {
      environment: { APPIMAGE: image, APPDIR: mounted, PATH: mounted, ...more },
      script: join(mounted, 'resources/tandem.mjs'),
      dataDir: '/data dir'
    })

  test('the image itself is named, and never a place where it is mounted now', () => {
    for (const client of [terminal, desktop]) {
      const { command, args } = fromImage(client)
      expect([command, ...args.slice(0, 2)]).toEqual(['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', image])
      expect(args.join(' ')).not.toContain(mounted)
    }
    writeFileSync(join(folder, 'tandem'), '#!/bin/sh\n', { mode: 0o755 })
    expect(fromImage(terminal, { PATH: `${mounted}:${folder}` }).command).toBe('tandem')
  })

  test('what is written runs the command line inside it when it is mounted elsewhere, with its own words alone', () => {
    const { command, args } = fromImage(desktop)
    const elsewhere = join(folder, 'mounted elsewhere')
    renameSync(mounted, elsewhere)
    writeFileSync(
      join(elsewhere, 'resources/tandem.mjs'),
      'console.log(JSON.stringify([process.argv[1], ...process.argv.slice(2)]))\n'
    )
    // As the start script of such an image does: a word of its own stands first, unless it was given.
    const start = [
      '#!/bin/sh',
      `export APPDIR='${elsewhere}'`,
      'for word in "$@"; do [ "$word" = --no-sandbox ] && given=1; done',
      `if [ "$given" ]; then exec '${process.execPath}' "$@"; fi`,
      `exec '${process.execPath}' --no-sandbox "$@"`
    ]
    writeFileSync(image, start.join('\n'), { mode: 0o755 })
    const said: unknown = JSON.parse(execFileSync(command, args, { encoding: 'utf8' }))
    expect(said).toEqual([join(elsewhere, 'resources/tandem.mjs'), 'mcp', '--data-dir', '/data dir'])
  })

  test('a program that another image started is no part of that image', () => {
    const environment = { APPIMAGE: image, APPDIR: mounted, PATH: '' }
    expect(bridge(desktop, environment).args).toEqual([
      'ELECTRON_RUN_AS_NODE=1',
      process.execPath,
      '/app/tandem.js',
      'mcp'
    ])
  })
})
