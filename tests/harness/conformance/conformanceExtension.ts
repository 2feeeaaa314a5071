import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Server,
  type ServerContext,
  type Tool
} from '@modelcontextprotocol/server'
import type { McpExtension, OwnHandlers } from '../../../src/server/mcp'
import { FIXTURE_TOOLS, PNG, stateCodec } from './fixtureTools'

const RESOURCES: Record<string, { mimeType: string; text?: string; blob?: string }> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' }
}
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/

const words = (text: string): PromptMessage => ({ role: 'user', content: { type: 'text', text } })

const PROMPTS: Record<string, { args: string[]; messages(args: Record<string, string>): PromptMessage[] }> = {
  test_simple_prompt: { args: [], messages: () => [words('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)]
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    messages: ({ resourceUri: uri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
        }
      },
      words('Please process the embedded resource above.')
    ]
  },
  test_prompt_with_image: {
    args: [],
    messages: () => [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      words('Please analyze the image above.')
    ]
  },
  test_input_required_result_prompt: { args: [], messages: () => [words('With what you said.')] }
}

/** What the conformance suite calls, beside everything Tandem has: the server under test is the real one. */
export const conformanceExtension: McpExtension = {
  options: {
    capabilities: { prompts: {}, completions: {}, logging: {} },
    requestState: { verify: (state, context) => stateCodec.verify(state, context) }
  },
  setUp(server, own) {
    addTools(server, own)
    addResources(server, own)
    addPrompts(server)
    server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park', 'party'] } }))
  }
}

function addTools(server: Server, own: OwnHandlers): void {
  server.setRequestHandler('tools/list', (_, context) => ({
    tools: [...own.listTools(context).tools, ...Object.entries(FIXTURE_TOOLS).map(describe)]
  }))
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const fixture = FIXTURE_TOOLS[params.name]
    return fixture ? fixture.run(context, params.arguments ?? {}) : own.callTool(params, context)
  })
}

function describe([name, { input = {} }]: [string, (typeof FIXTURE_TOOLS)[string]]): Tool {
  const inputSchema = { type: 'object' as const, properties: input, required: Object.keys(input) }
  return { name, description: 'For the conformance suite', inputSchema } as Tool
}

function addResources(server: Server, own: OwnHandlers): void {
  server.setRequestHandler('resources/list', async (_, context) => {
    const fixtures = Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType }))
    return { resources: [...(await own.listResources(context)).resources, ...fixtures] }
  })
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      ...own.listTemplates().resourceTemplates,
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }
    ]
  }))
  server.setRequestHandler(
    'resources/read',
    async ({ params: { uri } }, context) => fixture(uri) ?? own.readResource(uri, context)
  )
  // Clients of 2026 follow resources another way; the method is not theirs.
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function fixture(uri: string): ReadResourceResult | undefined {
  const [, id] = TEMPLATE.exec(uri) ?? []
  if (id)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ${id}` }) }] }
  const found = RESOURCES[uri]
  return found && ({ contents: [{ uri, ...found }] } as ReadResourceResult)
}

function addPrompts(server: Server): void {
  const prompts: Prompt[] = Object.entries(PROMPTS).map(([name, { args }]) => ({
    name,
    description: 'For the conformance suite',
    arguments: args.map((argument) => ({ name: argument, required: true }))
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }, context) => prompt(params, context))
}

function prompt(
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, string> | undefined },
  { mcpReq }: ServerContext
): GetPromptResult | InputRequiredResult {
  const found = PROMPTS[name]
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`)
  if (name === 'test_input_required_result_prompt' && !mcpReq.inputResponses?.user_context) {
    const requestedSchema = { type: 'object' as const, properties: { context: { type: 'string' as const } } }
    const message = 'What context should the prompt use?'
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } })
  }
  return { messages: found.messages(args) }
}
