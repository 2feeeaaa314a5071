import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, TOOLSETS, type Toolset } from '../core/tools/defineTool'
import { selectTools, toolsetsIn } from './mcpSelection'

function toolOf(name: string, toolset: Toolset, readOnlyHint: boolean) {
  const annotations = { readOnlyHint, destructiveHint: false, idempotentHint: false, openWorldHint: false }
  const shape = { input: z.strictObject({}), output: z.object({}) }
  const run = async () => ({})
  return defineTool({ name, toolset, title: name, description: name, scope: 'read', annotations, ...shape, run })
}

const tools = [toolOf('list', 'collab', true), toolOf('create', 'collab', false), toolOf('read', 'pty', true)]
const all = { toolsets: TOOLSETS, readOnly: false }
const names = (path: Parameters<typeof selectTools>[1], headers = {}) =>
  selectTools(tools, path, headers).map(({ name }) => name)

test('without a wish everything is there, in the order of the registry', () => {
  expect(names(all)).toEqual(['list', 'create', 'read'])
})

test('path and header narrow, and read-only always wins', () => {
  expect(names({ ...all, toolsets: ['collab'] })).toEqual(['list', 'create'])
  expect(names(all, { 'x-mcp-toolsets': 'pty, collab' })).toEqual(['list', 'create', 'read'])
  expect(names(all, { 'x-mcp-toolsets': 'pty' })).toEqual(['read'])
  expect(names({ ...all, toolsets: ['collab'] }, { 'x-mcp-toolsets': 'pty' })).toEqual([])
  expect(names(all, { 'x-mcp-readonly': 'true' })).toEqual(['list', 'read'])
  expect(names({ ...all, readOnly: true }, { 'x-mcp-readonly': 'false' })).toEqual(['list', 'read'])
})

test('an unknown toolset in the header is named', () => {
  expect(() => names(all, { 'x-mcp-toolsets': 'pty,nope' })).toThrow('"pty,nope"')
  expect(() => names(all, { 'x-mcp-readonly': 'perhaps' })).toThrow('"perhaps"')
})

test('an unknown or empty toolset in the path is no path', () => {
  expect(toolsetsIn('exec,collab')).toEqual(['collab', 'exec'])
  for (const list of ['', 'nope', 'pty,', 'pty,nope', 'PTY']) expect(toolsetsIn(list)).toBeUndefined()
})
