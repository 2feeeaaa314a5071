// `npm run bundle:mcpb` makes dist/tandem.mcpb, which desktop clients install with a double click. Another file to
// write may be named: `npm run bundle:mcpb -- /tmp/tandem.mcpb`.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { bundleManifest } from './bundle/manifest.mjs'
import { buildServer } from './bundle/server.mjs'
import { runToEnd } from './children.mjs'
import { ensureTestTools } from './setup/packages.mjs'

const DECLARATIONS = [
  'src/cli/bundle/userConfig.ts',
  'src/core/tools/index.ts',
  'src/server/mcpTools.ts',
  'src/cli/strings.ts'
]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = resolve(process.argv[2] ?? join(root, 'dist/tandem.mcpb'))
process.exitCode = ensureTestTools(root) ? await bundle() : 1

async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-mcpb-'))
  try {
    const [config, { tools }, { describeTool }, { strings }] = await Promise.all(DECLARATIONS.map(load))
    const packedTools = tools.map((tool) => ({
      toolset: tool.toolset,
      sharedWith: tool.sharedWith,
      ...describeTool(tool)
    }))
    await buildServer({ root, target: join(folder, 'server'), packedTools })
    const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const manifest = bundleManifest({ product, strings, tools, ...config })
    writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    copyFileSync(join(root, 'resources/icon.png'), join(folder, 'icon.png'))
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    mkdirSync(dirname(target), { recursive: true })
    // The format's own tool packs, and refuses a manifest that is not valid.
    const tool = join(root, 'tests/tools/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
    return await runToEnd(process.execPath, [tool, 'pack', folder, target], { stdio: ['ignore', 2, 2] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(path) {
  const { module } = await runnerImport(join(root, path), { root, configFile: false, logLevel: 'error' })
  return module
}
