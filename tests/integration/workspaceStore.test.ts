import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProjectGate } from '../../src/core/workspace/projectGate'
import { StoreFile } from '../../src/core/workspace/storeFile'
import { parseStore } from '../../src/core/workspace/storeState'
import { seededRandom } from '../harness/faults/random'
import { SEED } from '../harness/seed'

const ROUNDS = 15
const random = seededRandom(SEED)
const SEGMENTS = ['default']
let root: string
let project: string
let writer: string

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-store-')))
  project = join(root, 'project')
  mkdirSync(project)
  const entry = join(root, 'writer.ts')
  const source = join(process.cwd(), 'src/core/workspace')
  writeFileSync(entry, writerSource(source))
  const output = { entryFileNames: 'writer.mjs' }
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: entry, outDir: join(root, 'out'), rollupOptions: { output } },
    ssr: { noExternal: true }
  })
  writer = join(root, 'out/writer.mjs')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function writerSource(source: string): string {
  return `
import { StoreFile } from '${source}/storeFile'
import { ProjectGate } from '${source}/projectGate'
const store = new StoreFile({ project: process.argv[2], segments: ['default'], gate: new ProjectGate(), owner: 'o' })
process.stdout.write('ready')
for (let round = 0; ; round += 1) {
  const { state } = await store.load()
  const record = { id: '00000000-0000-4000-8000-000000000001', name: 'n' + round, tmuxSession: 'mc-x-1', created: '', order: 0, backend: 'tmux', cwd: '/', program: 'sh', unknowns: { filler: 'x'.repeat(20000) } }
  await store.save({ ...state, sessions: [record] })
}
`
}

async function killedAfter(delayMs: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [writer, project], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  child.kill('SIGKILL')
  await ended
}

test('a writer killed at any moment leaves a whole file, whole generations, and no litter after the next save', async () => {
  const directory = join(project, '.collab/default')
  const loader = () => new StoreFile({ project, segments: SEGMENTS, gate: new ProjectGate(), owner: 'o' })
  for (let round = 0; round < ROUNDS; round += 1) {
    await killedAfter(random.between(5, 45))
    const { kind, state } = await loader().load()
    if (kind === 'missing') continue
    expect(kind).toBe('ok')
    expect(state.sessions).toHaveLength(1)
    for (const name of readdirSync(directory)) {
      if (name.endsWith('.bak')) expect(parseStore(readFileSync(join(directory, name), 'utf8')).kind).toBe('ok')
    }
  }
  const { state } = await loader().load()
  await loader().save(state)
  expect(readdirSync(directory).sort()).toEqual(['terminal-sessions.json', 'terminal-sessions.json.bak'])
})
