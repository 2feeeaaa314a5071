import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conformanceExtension } from '../harness/conformance/conformanceExtension'
import { startTokenProxy } from '../harness/conformance/tokenProxy'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { testTool, toolNode } from '../harness/testTools'

// The official suite against the real doors. Its fixtures stand beside Tandem's own tools and resources.

const LIMIT_MS = 600_000
/** Per scenario: for a server that hangs, not for a machine that is busy. */
const SCENARIO_LIMIT_MS = 120_000

let host: DoorsHost
let proxy: Awaited<ReturnType<typeof startTokenProxy>>
let results: string

beforeAll(async () => {
  host = await startDoorsHost({ mcpExtension: conformanceExtension })
  proxy = await startTokenProxy(new URL(host.server.mcpUrl), host.owner)
  results = mkdtempSync(join(tmpdir(), 'tandem-conformance-'))
})
afterAll(async () => {
  await proxy.close()
  await host.close()
  rmSync(results, { recursive: true, force: true })
})

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Runs the suite and returns what it printed, whatever it found. */
function conformance(args: string[]): Promise<string> {
  const suite = testTool('@modelcontextprotocol/conformance/dist/index.js')
  return new Promise((resolve) => {
    execFile(toolNode(), [suite, ...args], { maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout))
  })
}

async function scoredScenarios(revision: string): Promise<string[]> {
  const output = await conformance(['list', '--server', '--requirements', revision])
  const section = /Server scenarios[^\n]*\n((?: {2}- .*\n)+)/.exec(output)?.[1] ?? ''
  return [...section.matchAll(/- (\S+)/g)].map(([, name = '']) => name)
}

/** What is wrong in a run, one line each: a failed check, a warning, or a scenario that did not run. */
function complaints(folder: string, scenarios: readonly string[]): string[] {
  const folders = readdirSync(folder)
  return scenarios.flatMap((name) => {
    const ran = folders.find((path) => new RegExp(`^server-${name}-\\d{4}-`).test(path))
    if (!ran) return [`${name}: did not run`]
    const checks = JSON.parse(readFileSync(join(folder, ran, 'checks.json'), 'utf8')) as Check[]
    const bad = checks.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status))
    if (!checks.some(({ status }) => status === 'SUCCESS')) return [`${name}: nothing was checked`]
    return bad.map(({ id, status, errorMessage }) => `${name}: ${status} ${id}: ${errorMessage}`)
  })
}

describe.each([
  { revision: '2025-11-25', scored: 30 },
  { revision: '2026-07-28', scored: 37 }
])('the conformance suite for $revision', ({ revision, scored }) => {
  test(`finds nothing wrong in all ${scored} scored scenarios`, { timeout: LIMIT_MS }, async () => {
    const scenarios = await scoredScenarios(revision)
    expect(scenarios).toHaveLength(scored)
    const folder = join(results, revision)
    // Its exit code also counts the scenarios that are never scored, such as extensions nobody here offers.
    await conformance([
      ...['server', '--url', proxy.url, '--requirements', revision],
      ...['--output-dir', folder, '--timeout', String(SCENARIO_LIMIT_MS)]
    ])
    expect(complaints(folder, scenarios)).toEqual([])
  })
})
