// `npm run gen` writes the reference docs from the declarations in the code; `--check` fails when they are stale.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { errorsPage, settingsPage, shortcutsPage, toolsPage } from './gen/pages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, 'docs/generated')

const [errors, settings, tools, actions, keys] = await Promise.all(
  [
    'src/shared/errors.ts',
    'src/shared/settings.ts',
    'src/core/tools/index.ts',
    'src/shared/actions.ts',
    'src/shared/keys.ts'
  ].map(load)
)
const pages = {
  'errors.md': errorsPage(errors),
  'settings.md': settingsPage(settings),
  'shortcuts.md': shortcutsPage(actions, keys),
  'tools.md': toolsPage(tools.tools)
}

const problems = process.argv.includes('--check') ? check() : write()
for (const problem of [...problems, ...missingHeadings()]) {
  process.stderr.write(`gen: ${problem}\n`)
  process.exitCode = 1
}

async function load(path) {
  const { module } = await runnerImport(join(root, path), { root, configFile: false, logLevel: 'error' })
  return module
}

function check() {
  return Object.entries(pages)
    .filter(([name, page]) => !existsSync(join(target, name)) || readFileSync(join(target, name), 'utf8') !== page)
    .map(([name]) => `docs/generated/${name} is stale; run: npm run gen`)
}

function write() {
  mkdirSync(target, { recursive: true })
  for (const [name, page] of Object.entries(pages)) writeFileSync(join(target, name), page)
  return []
}

// Whoever meets a code looks it up: every one has its heading, and no heading is about a code that is gone.
function missingHeadings() {
  const text = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  const headings = [...text.matchAll(/^## ([A-Z_]+)$/gm)].map(([, code]) => code)
  const codes = [...Object.keys(errors.ERRORS), 'WAIT_TIMEOUT']
  return [
    ...codes.filter((code) => !headings.includes(code)).map((code) => `docs/troubleshooting.md has no heading ${code}`),
    ...headings.filter((code) => !codes.includes(code)).map((code) => `docs/troubleshooting.md: unknown code ${code}`)
  ]
}
