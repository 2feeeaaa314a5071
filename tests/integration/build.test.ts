import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// The built product as it is shipped: `npm run build` first.

const OUT = fileURLToPath(new URL('../../out', import.meta.url))
const read = (path: string) => readFileSync(join(OUT, path), 'utf8')

/** Everything a built file loads by name, itself and its chunks together. */
function packagesOf(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return []
  seen.add(entry)
  const imports = read(entry).matchAll(
    /(?:^|[;}\n])(?:import|export)\b[^'"`;()]*?["']([^"']+)["']|\bimport\(\s*["'`]([^"'`]+)["'`]\s*\)/g
  )
  const names = [...imports].map(([, loaded, later]) => loaded ?? later ?? '')
  const chunks = names.filter((name) => name.startsWith('.')).flatMap((name) => packagesOf(join('main', name), seen))
  return [...new Set([...names.filter((name) => !name.startsWith('.')), ...chunks])]
}

const foreign = (names: string[]) =>
  names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)).sort()

test('the command line needs nothing but Node and the native module', () => {
  expect(['node-pty']).toEqual(expect.arrayContaining(foreign(packagesOf('main/tandem.js'))))
})

test('the desktop shell loads electron and the native module, nothing else', () => {
  const names = foreign(packagesOf('main/index.js'))
  expect(['electron', 'node-pty']).toEqual(expect.arrayContaining(names))
  expect(names).toContain('electron')
})

test('the preload is one CommonJS file, so that the window can stay sandboxed', () => {
  expect(readdirSync(join(OUT, 'preload'))).toEqual(['index.cjs'])
  const required = [...read('preload/index.cjs').matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) => name)
  expect(new Set(required)).toEqual(new Set(['electron']))
  expect(read('preload/index.cjs')).not.toMatch(/^(import|export) /m)
})

test('the page has no script or style of its own and its assets carry hashes', () => {
  const page = read('renderer/index.html')
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(page).not.toMatch(/<style|\son[a-z]+=|javascript:/)
  const assets = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '')
  expect(assets.length).toBeGreaterThan(0)
  // What an installed app is known by keeps its name.
  const hashed = assets.filter((name) => name !== 'tandem.webmanifest')
  for (const name of hashed) expect(name).toMatch(/-[\w-]{8}\.\w+$/)
})
