import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import type { World } from './tandem'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the built product that differs in its version alone. Returns the path of its command line. */
export function otherVersion(world: World, wanted: string): string {
  const folder = join(world.root, `tandem-${wanted}`)
  mkdirSync(folder)
  cpSync(join(ROOT, 'out'), join(folder, 'out'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'resources', 'bin']) symlinkSync(join(ROOT, name), join(folder, name))
  const entry = join(folder, 'out/main/tandem.js')
  const quoted = new RegExp(`["'\`]${packageJson.version.replaceAll('.', '\\.')}["'\`]`, 'g')
  for (const file of scriptsIn(dirname(entry))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(quoted, `"${wanted}"`))
  }
  return entry
}

function scriptsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))
}
