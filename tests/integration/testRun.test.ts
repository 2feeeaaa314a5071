import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processesOf } from '../harness/tandem'
import { until } from '../harness/waiting'

// What `npm test` says about its parts: nothing that failed, crashed or stayed behind may count as passed.

const SCRIPTS = fileURLToPath(new URL('../../scripts/testing', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOAK = join(ROOT, 'tests/soak')
let folder: string

beforeEach(() => {
  folder = mkdtempSync('/tmp/tandem-test-run-')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a piece of the test scripts in plain Node and answers with the JSON it prints last. */
function evaluate(code: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  const last = stdout.trim().split('\n').at(-1)
  if (!last) throw new Error(stderr)
  return JSON.parse(last)
}

function runPart(script: string, extra = 'limitMs: 60000'): unknown {
  return evaluate(`
    import { runPart } from '${SCRIPTS}/runPart.mjs'
    const part = { name: 'part', command: [process.execPath, '-e', ${JSON.stringify(script)}], ${extra} }
    console.log(JSON.stringify(await runPart(part, { cwd: '/', env: process.env })))`)
}

test('a part without a count of its own is one test, and its failure is named by its code', () => {
  expect(runPart('')).toEqual({ passed: 1, failed: 0, skipped: 0, failures: [], unsteady: [] })
  const failure = { passed: 0, failed: 1, skipped: 0, failures: ['ended with code 2'], unsteady: [] }
  expect(runPart('process.exit(2)')).toEqual(failure)
})

test('a part that crashes after counting only successes has failed', () => {
  const report = 'limitMs: 60000, report: () => ({ passed: 3, failed: 0, skipped: 1, failedFiles: [], failures: [] })'
  const counts = { passed: 3, failed: 1, skipped: 1, failures: ['ended with code 1'], unsteady: [] }
  expect(runPart('process.kill(process.pid, "SIGKILL")', report)).toEqual(counts)
})

/** A part of five tests of which two fail in one file; the file is run again, and then `stillFailing` of them fail. */
function failingPart(stillFailing: string[], files = ['one.test.ts']): string {
  const report = (failures: string[], passed: number) =>
    JSON.stringify({ passed, failed: failures.length, skipped: 0, failures, failedFiles: failures.length ? files : [] })
  return `limitMs: 60000,
    report: () => (${report(['first', 'second'], 3)}),
    again: () => ({ command: [process.execPath, '-e', ''], report: () => (${report(stillFailing, 2 - stillFailing.length)}) })`
}

test('files in which a test failed are run again, alone: what passes or fails then is counted and named', () => {
  const skipped = 0
  const both = { passed: 5, failed: 0, skipped, failures: [], unsteady: ['first', 'second'] }
  expect(runPart('process.exit(1)', failingPart([]))).toEqual(both)
  const one = { passed: 4, failed: 1, skipped, failures: ['first'], unsteady: ['second'] }
  expect(runPart('process.exit(1)', failingPart(['first']))).toEqual(one)
})

test('many files that fail are not bad luck, and not run again', () => {
  const files = Array.from({ length: 9 }, (_, index) => `${index}.test.ts`)
  expect(runPart('process.exit(1)', failingPart([], files))).toMatchObject({ passed: 3, failed: 2 })
})

test('a part that does not end is ended and has failed', () => {
  expect(runPart('setInterval(() => {}, 1000)', 'limitMs: 300')).toMatchObject({
    passed: 0,
    failures: [expect.stringMatching('ended after')]
  })
})

test('the counts come from the runners’ own reports, a file that does not load included', () => {
  const results = ['passed', 'passed', 'failed', 'skipped'].map((status) => ({ status, fullName: status }))
  const files = [
    { name: 'a', status: 'failed', assertionResults: results },
    { name: 'b', status: 'failed', assertionResults: [] }
  ]
  const stats = { expected: 4, flaky: 1, unexpected: 2, skipped: 3 }
  const tests = ['browser', 'stand-in'].map((projectName) => ({
    projectName,
    status: projectName === 'browser' ? 'expected' : 'unexpected'
  }))
  const suites = [{ suites: [{ specs: [{ file: 'x.spec.ts', title: 'breaks', ok: true, tests }] }], specs: [] }]
  writeFileSync(join(folder, 'unit.json'), JSON.stringify({ testResults: files }))
  writeFileSync(join(folder, 'e2e.json'), JSON.stringify({ stats, suites }))
  const counts = evaluate(`
    import { parts } from '${SCRIPTS}/parts.mjs'
    const all = parts('/', '${folder}')
    console.log(JSON.stringify(['unit', 'e2e', 'integration'].map((name) => all.find((p) => p.name === name).report() ?? null)))`)
  const unit = { failedFiles: ['a', 'b'], failures: ['failed', 'b could not be loaded'] }
  const e2e = { failedFiles: ['x.spec.ts'], failures: ['x.spec.ts [stand-in]: breaks'] }
  expect(counts).toEqual([
    { passed: 2, failed: 2, skipped: 1, ...unit },
    { passed: 5, failed: 2, skipped: 3, ...e2e },
    null
  ])
})

test.runIf(process.platform === 'linux')('a process and a file that stay behind are found and named', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'left-over'], {
    env: { ...process.env, TANDEM_TEST_RUN: folder },
    stdio: 'ignore'
  })
  try {
    const file = `${folder}-left`
    const found = evaluate(`
      import { writeFileSync, rmSync } from 'node:fs'
      import { findLeftovers, takeStock } from '${SCRIPTS}/leftovers.mjs'
      const before = takeStock()
      writeFileSync('${file}', '')
      const found = await findLeftovers(before, '${folder}', 0)
      rmSync('${file}')
      console.log(JSON.stringify(found))`)
    expect(found).toEqual(
      expect.arrayContaining([`left behind: ${file}`, expect.stringMatching(`still running: ${child.pid} .*left-over`)])
    )
  } finally {
    child.kill('SIGKILL')
  }
})

test.runIf(process.platform === 'linux')('of a run that is interrupted no process stays, and no world', async () => {
  const world = `${folder}-world`
  mkdirSync(world)
  // As a host and its tmux server do it: one keeps the mark of the run, the other nothing but where it lives.
  const stays = `const { spawn } = require('node:child_process')
    const apart = { detached: true, stdio: 'ignore' }
    spawn('sleep', ['600'], { ...apart, env: { ...process.env, HOME: '${world}/home' } })
    spawn('sleep', ['600'], { ...apart, env: { HOME: '${world}/home', PATH: process.env.PATH } })
      .once('spawn', () => require('node:fs').writeFileSync('${folder}/started', ''))
    setInterval(() => {}, 1000)`
  const code = `
    import { runGroup } from '${SCRIPTS}/runGroup.mjs'
    const env = { ...process.env, TANDEM_TEST_RUN: '${folder}' }
    await runGroup({ command: [process.execPath, '-e', ${JSON.stringify(stays)}], limitMs: 60000 }, { cwd: '/', env })`
  const run = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' })
  const exit = new Promise((resolve) => run.once('exit', resolve))
  const ofTheRun = () => processesOf(folder).filter((pid) => pid !== run.pid)
  await until(() => existsSync(join(folder, 'started')), { what: 'the run' })
  expect(ofTheRun()).toHaveLength(3)
  run.kill('SIGTERM')
  expect(await exit).toBe(1)
  await until(() => ofTheRun().length === 0, { what: 'the end of everything' })
  expect(existsSync(world)).toBe(false)
})

test('a row of the table of faults that left no report is a loss', () => {
  const rows = `
    import { knownRows, printTable } from '${SOAK}/table.mjs'
    const wanted = knownRows('${ROOT}')
    const losses = printTable('${folder}', ['B1', 'B2'])
    console.log(JSON.stringify({ wanted, losses }))`
  const entry = { row: 'B1', fault: 'x', place: 'tmux', rounds: 1, losses: [], notes: {} }
  writeFileSync(join(folder, 'one.json'), JSON.stringify(entry))
  const { wanted, losses } = evaluate(rows) as { wanted: string[]; losses: number }
  expect(losses).toBe(1)
  expect(wanted).toEqual(Array.from({ length: 27 }, (_, index) => `B${index + 1}`))
})
