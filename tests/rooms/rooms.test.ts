import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkFile, checkStringsFiles } from './houseRules'
import { checkImports, checkOneFilePackages, type SourceFile } from './importRules'
import { readImports } from './imports'
import { checkWorkers, workers } from './workerRules'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function sources(): SourceFile[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.snap'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(ROOT.length), text: readFileSync(path, 'utf8') }))
}

const code = sources().filter(({ path }) => /\.tsx?$/.test(path))

describe('the house', () => {
  test('has something in it', () => {
    expect(code.length).toBeGreaterThan(10)
  })

  test('no room imports what it may not', () => {
    expect(code.flatMap(checkImports)).toEqual([])
  })

  test('a foreign package is loaded in one place', () => {
    expect(checkOneFilePackages(code)).toEqual([])
  })

  test('no worker loads what may run on the main thread only', () => {
    expect(workers(sources())).not.toEqual([])
    expect(checkWorkers(sources())).toEqual([])
  })

  test('every file is well named, short, and written in the house manner', () => {
    expect(sources().flatMap(checkFile)).toEqual([])
  })

  test('texts for people have their files', () => {
    expect(checkStringsFiles(code.map(({ path }) => path))).toEqual([])
  })
})

describe('the check of workers', () => {
  const worker = { path: 'src/core/a/w.mjs', text: "import { parentPort } from 'node:worker_threads'\nimport '../b/c'" }
  const loads = (text: string) => checkWorkers([worker, { path: 'src/core/b/c.ts', text }])

  test('follows what a worker loads, and not what it borrows words from', () => {
    expect(loads("import { spawn } from 'node-pty'")).toEqual(['src/core/a/w.mjs → src/core/b/c.ts loads "node-pty"'])
    expect(loads("import type { IPty } from 'node-pty'")).toEqual([])
    expect(loads("import '../a/w.mjs'")).toEqual([])
    expect(checkWorkers([{ path: 'src/core/b/c.ts', text: "import 'node-pty' // parentPort" }])).toEqual([])
  })
})

describe('the import check', () => {
  const problems = (path: string, text: string) => checkImports({ path, text })

  test.each([
    ['src/shared/a.ts', "import { b } from '../core/b'", 'shared may import nothing, not core'],
    ['src/shared/a.ts', "import { join } from 'node:path'", 'shared is pure'],
    ['src/core/terminal/a.ts', "import ws from 'ws'", 'core may use'],
    ['src/core/terminal/a.ts', "import { join } from 'path'", 'node:'],
    ['src/core/terminal/a.ts', "import { serve } from '../../server/serve'", 'not server'],
    ['src/core/terminal/a.ts', "import type { W } from '../workspace/w'", 'never backwards'],
    ['src/core/backends/tmux/a.ts', "export * from '../../terminal/t'", 'never backwards'],
    ['src/core/backends/a.ts', "import { lock } from '../data/lock'", 'is handed what it needs'],
    ['src/core/data/a.ts', "import { w } from '../workspace/w'", 'stands below'],
    ['src/core/log.ts', "import { w } from './workspace/w'", 'stands below'],
    ['src/core/tools/a.ts', "import { startHost } from '../host'", 'only the rooms around'],
    ['src/server/a.ts', "import electron from 'electron'", 'server may use'],
    ['src/server/a.ts', "const m = await import('@modelcontextprotocol/sdk/server/mcp.js')", 'server may use'],
    ['src/cli/a.ts', "import Store from 'electron-store'", 'cli may use'],
    ['src/preload/a.ts', "import { core } from '../core/core'", 'preload may import shared'],
    ['src/renderer/src/a.ts', "import { readFileSync } from 'node:fs'", 'renderer is pure'],
    ['src/renderer/src/a.ts', "import '../../core/host'", 'renderer may import shared'],
    ['src/server/a.ts', "import { x } from '../../tests/harness/tandem'", 'outside src'],
    ['src/server/a.ts', "import { chunks } from './streams.testing'", 'for tests'],
    ['src/attic/a.ts', "import { z } from 'zod'", 'no room "attic"']
  ])('%s: %s', (path, text, complaint) => {
    expect(problems(path, text)).toEqual([expect.stringContaining(complaint)])
  })

  test.each([
    ['src/core/tools/a.ts', "import { Terminals } from '../terminal/terminals'"],
    ['src/core/workspace/a.ts', "import { lock } from '../data/lock'"],
    ['src/core/backends/tmux/a.ts', "import type { RuntimeDir } from '../../data/runtimeDir'"],
    ['src/core/host.ts', "import { tools } from './tools/index'"],
    ['src/core/terminal/a.ts', "import { silentLog } from '../log'"],
    ['src/core/terminal/a.test.ts', "import { test } from 'vitest'"],
    ['src/renderer/src/a.tsx', "import { FitAddon } from '@xterm/addon-fit'"],
    ['src/renderer/src/a.tsx', "import '@xterm/xterm/css/xterm.css'"],
    ['src/shared/a.ts', "// import { b } from '../core/b'"],
    ['src/shared/a.ts', `const script = 'require("net")'`]
  ])('allows %s: %s', (path, text) => {
    expect(problems(path, text)).toEqual([])
  })

  test('a package that should be loaded once names all who load it; borrowing its types is free', () => {
    const loads = { path: 'src/core/a.ts', text: "import { spawn } from 'node-pty'" }
    const borrows = { path: 'src/core/b.ts', text: "import type { IPty } from 'node-pty'" }
    const loadsToo = { path: 'src/core/c.ts', text: "import { type IPty, spawn } from 'node-pty'" }
    expect(checkOneFilePackages([loads, borrows])).toEqual([])
    expect(checkOneFilePackages([loads, loadsToo])).toEqual([
      '"node-pty" belongs in one file but is loaded by src/core/a.ts, src/core/c.ts'
    ])
  })

  test('imports over several lines are read', () => {
    expect(readImports("import {\n  a,\n  type B\n} from './c'\nimport { type D } from './e'")).toEqual([
      { from: './c', typeOnly: false },
      { from: './e', typeOnly: true }
    ])
  })
})

describe('the manner check', () => {
  const problems = (path: string, text = '') => checkFile({ path, text })

  test.each<[string, string, string]>([
    ['src/core/utils.ts', '', 'name it after what it does'],
    ['src/core/HostThing.ts', '', 'camelCase.ts'],
    ['src/core/host-thing.ts', '', 'camelCase.ts'],
    ['src/core/myTools/a.ts', '', 'one lower-case word'],
    ['src/core/terminal/index.ts', '', 'no barrels'],
    ['src/core/a.ts', 'export default 1', 'never default'],
    ['src/core/a.ts', 'const a = b as any', 'no any'],
    ['src/core/a.ts', 'function a(b: any) {}', 'no any'],
    ['src/core/a.ts', 'const a: Record<string, any> = {}', 'no any'],
    ['src/core/a.ts', '// @ts-ignore\nfoo()', 'mend the type'],
    ['src/core/a.ts', 'a\n'.repeat(301), '301 lines']
  ])('$0 is told: $2', (path, text, complaint) => {
    expect(problems(path, text)).toEqual([expect.stringContaining(complaint)])
  })

  test('plain words in comments and strings are no offence', () => {
    expect(problems('src/core/a.ts', "// as any would do\nconst a = 'of: any kind'\n")).toEqual([])
    expect(problems('src/renderer/src/App.tsx', 'export function App() {}\n')).toEqual([])
  })

  test('a missing file of texts is named', () => {
    expect(checkStringsFiles(['src/cli/strings.ts'])).toEqual([expect.stringContaining('src/renderer/src/strings.ts')])
  })
})
