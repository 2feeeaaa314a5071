import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('an AppImage, whose files are gone when it ends, is not written into any file, and what to do is said', () => {
  asElectron()
  const mounted = join(folder, 'mounted')
  mkdirSync(mounted)
  writeFileSync(join(mounted, 'tandem'), '#!/bin/sh\n', { mode: 0o755 })
  const environment = { APPIMAGE: '/home/me/Tandem.AppImage', APPDIR: mounted, PATH: mounted }
  for (const client of [terminal, desktop])
    expect(() => bridge(client, environment)).toThrow(/Tandem\.AppImage" cannot be started by agents/)
  writeFileSync(join(folder, 'tandem'), '#!/bin/sh\n', { mode: 0o755 })
  expect(bridge(terminal, { ...environment, PATH: `${mounted}:${folder}` })).toEqual({
    command: 'tandem',
    args: ['mcp']
  })
})
