import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../src/core/tools/index'
import { count, LIMIT_MS } from '../harness/counts'
import { ENTRY, makeWorld, Tandem, type World } from '../harness/tandem'
import { testTool, toolNode } from '../harness/testTools'
import { TOOL_SAMPLES } from '../harness/toolSamples'
import type { Created } from '../harness/workspace'

// The protocol's own Inspector, in both of its generations, as a client that nobody here wrote.

const CALLED = ['terminal_create_session', 'terminal_list_sessions']

interface Inspector {
  version: string
  /** Arguments of one request, after those that say where the server is. */
  request(method: string, name?: string, args?: Record<string, unknown>): string[]
  entry(): string[]
}

const INSPECTORS: Inspector[] = [
  {
    version: '0.22',
    entry: () => [testTool('inspector-0/cli/build/cli.js'), '--cli'],
    request: (method, name, args = {}) => [
      ...['--method', method, ...(name ? ['--tool-name', name] : [])],
      ...Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${JSON.stringify(value)}`])
    ]
  },
  {
    version: '2.12',
    entry: () => [testTool('inspector-2/clients/launcher/build/index.js'), '--cli'],
    request: (method, name, args = {}) => [
      ...['--format', 'json', '--method', method],
      ...(name ? ['--tool-name', name, '--tool-args-json', JSON.stringify(args)] : [])
    ]
  }
]

let world: World
let tandem: Tandem
let places = 0

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

/** How an Inspector reaches the host. */
const TRANSPORTS = {
  http: () => [
    ...[tandem.ready.mcpUrl, '--transport', 'http'],
    ...['--header', `Authorization: Bearer ${tandem.ready.token}`]
  ],
  // Inspectors hand on little of their own environment: what tells this world from others is named.
  stdio: () => [
    ...['HOME', 'TMUX_TMPDIR', 'TANDEM_TMUX_SOCKET', 'XDG_RUNTIME_DIR'].flatMap((name) => [
      ...['-e', `${name}=${world.environment[name]}`]
    ]),
    ...['-e', `TANDEM_DATA_DIR=${world.dataDir}`, process.execPath, ENTRY, 'mcp']
  ]
}

function inspect(args: string[]): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const options = { env: world.environment, cwd: world.project, maxBuffer: 16 * 1024 * 1024 }
    execFile(toolNode(), args, options, (failure, stdout, stderr) => {
      if (failure) reject(new Error(`${failure.message}\n${stderr}`))
      else {
        const printed = JSON.parse(stdout) as Record<string, unknown>
        resolve((printed.result ?? printed) as Record<string, unknown>)
      }
    })
  })
}

async function makePlace() {
  const where = { project: world.project, session: `inspected-${places++}` }
  const { body } = await tandem.api('POST', '/api/terminal/sessions', where)
  return { ...where, terminal: body as unknown as Created }
}

describe.each(INSPECTORS)('Inspector $version', ({ entry, request }) => {
  test.each(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])(
    'lists every tool and calls them over %s',
    { timeout: LIMIT_MS },
    async (transport) => {
      const reach = [...entry(), ...TRANSPORTS[transport]()]
      const listed = (await inspect([...reach, ...request('tools/list')])).tools as { name: string }[]
      const names = tools.map(({ name }) => name)
      expect(listed.map(({ name }) => name)).toEqual(names)
      for (const name of count({ small: 0, full: 1 }) ? names : CALLED) {
        const sample = TOOL_SAMPLES[name]
        if (!sample) throw new Error(`tests/harness/toolSamples.ts has no arguments for ${name}`)
        const answer = await inspect([...reach, ...request('tools/call', name, sample(await makePlace()))])
        expect(answer, `${name}: ${JSON.stringify(answer)}`).toMatchObject({ structuredContent: expect.anything() })
        expect(answer.isError, name).toBeFalsy()
      }
    }
  )
})

test('there are arguments for every tool', () => {
  const names = new Set(tools.map(({ name }) => name))
  expect([...names].filter((name) => !TOOL_SAMPLES[name])).toEqual([])
})
