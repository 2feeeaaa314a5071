import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ContentBlock,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext
} from '@modelcontextprotocol/server'
import { pause } from '../waiting'

// Tools that the conformance suite calls by name; what each must do is written in the suite's own descriptions.

/** The smallest picture and the shortest sound there are. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

export const stateCodec = createRequestStateCodec({ key: 'a secret of this test run, long enough to sign with' })

type Answer = CallToolResult | InputRequiredResult
type Run = (context: ServerContext, args: Record<string, unknown>) => Answer | Promise<Answer>

export interface FixtureTool {
  run: Run
  input?: Record<string, object>
}

const answer = (...content: ContentBlock[]): CallToolResult => ({ content })
const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const done = (words: string) => answer(text(words))
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: words }
})

const object = (properties: Record<string, object>) => ({
  type: 'object' as const,
  properties: properties as Record<string, { type: 'string' }>,
  required: Object.keys(properties)
})

const elicit = (message: string, properties: Record<string, object>): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: object(properties) })
const sample = (words: string): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100
  })
const askName = () => elicit('What is your name?', { name: { type: 'string' } })
const askOk = () => elicit('Please confirm', { ok: { type: 'boolean' } })

function accepted({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined {
  const response = mcpReq.inputResponses?.[key]
  return typeof response === 'object' && response !== null ? (response as Record<string, unknown>) : undefined
}

/** Asks once for what it wants to know, and is content with any answer of the right shape. */
const asking =
  (key: string, request: () => InputRequest): Run =>
  (context) => {
    const given = accepted(context, key)
    return given ? done(JSON.stringify(given)) : inputRequired({ inputRequests: { [key]: request() } })
  }

/** Asks once, and trusts only its own signed state. */
const signed =
  (requests: () => Record<string, InputRequest>): Run =>
  async (context) => {
    const isAnswered = Object.keys(requests()).every((key) => accepted(context, key))
    if (isAnswered && context.mcpReq.requestState() !== undefined) return done('state-ok')
    return inputRequired({ inputRequests: requests(), requestState: await stateCodec.mint({ round: 1 }, context) })
  }

async function multiRound(context: ServerContext): Promise<Answer> {
  if (accepted(context, 'step2')) return done('done')
  const isSecond = accepted(context, 'step1') !== undefined
  const step = isSecond ? 'step2' : 'step1'
  const field = isSecond ? 'color' : 'name'
  return inputRequired({
    inputRequests: { [step]: elicit(`What is your ${field}?`, { [field]: { type: 'string' } }) },
    requestState: await stateCodec.mint({ round: isSecond ? 2 : 1 }, context)
  })
}

async function withProgress({ mcpReq }: ServerContext): Promise<Answer> {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    await pause(50)
  }
  return done('progressed')
}

async function withLogging({ mcpReq }: ServerContext): Promise<Answer> {
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', words)
    await pause(50)
  }
  return done('logged')
}

const elicited =
  (message: string, properties: Record<string, object>): Run =>
  async ({ mcpReq }, args) => {
    const asked = typeof args.message === 'string' ? args.message : message
    const { action, content } = await mcpReq.elicitInput({ message: asked, requestedSchema: object(properties) })
    return done(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
  }

async function sampled({ mcpReq }: ServerContext, args: Record<string, unknown>): Promise<Answer> {
  const { content } = await mcpReq.requestSampling({
    messages: [{ role: 'user', content: { type: 'text', text: String(args.prompt) } }],
    maxTokens: 100
  })
  return done(`LLM response: ${JSON.stringify(content)}`)
}

function capabilitiesOf({ mcpReq: { envelope = {} } }: ServerContext): ClientCapabilities {
  return (envelope as Record<string, ClientCapabilities | undefined>)[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

function needsSampling(context: ServerContext): Answer {
  if (capabilitiesOf(context).sampling) return done('there')
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
}

/** Asks only what the client says it can answer. */
function byCapability(context: ServerContext): Answer {
  const can = capabilitiesOf(context)
  const inputRequests = {
    ...(can.sampling ? { greeting: sample('Say hello') } : {}),
    ...(can.elicitation ? { user_name: askName() } : {})
  }
  return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : done('nothing to ask')
}

const titled = (kind: string) => [
  { const: 'value1', title: `First ${kind}` },
  { const: 'value2', title: `Second ${kind}` },
  { const: 'value3', title: `Third ${kind}` }
]
const OPTIONS = ['option1', 'option2', 'option3']
const STRING = { type: 'string' }

export const FIXTURE_TOOLS: Record<string, FixtureTool> = {
  test_simple_text: { run: () => done('This is a simple text response for testing.') },
  test_image_content: { run: () => answer(image) },
  test_audio_content: { run: () => answer({ type: 'audio', data: WAV, mimeType: 'audio/wav' }) },
  test_embedded_resource: {
    run: () => answer(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'))
  },
  test_multiple_content_types: {
    run: () =>
      answer(
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 }))
      )
  },
  test_error_handling: {
    run: () => ({ ...done('This tool intentionally returns an error for testing'), isError: true })
  },
  test_tool_with_logging: { run: withLogging },
  test_logging_tool: { run: withLogging },
  test_tool_with_progress: { run: withProgress },
  test_sampling: { run: sampled, input: { prompt: STRING } },
  test_elicitation: {
    run: elicited('', { username: STRING, email: STRING }),
    input: { message: STRING }
  },
  test_elicitation_sep1034_defaults: {
    run: elicited('Please check these', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true }
    })
  },
  test_elicitation_sep1330_enums: {
    run: elicited('Please choose', {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three']
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } }
    })
  },
  test_missing_capability: { run: needsSampling },
  test_streaming_elicitation: { run: asking('user_name', askName) },
  test_input_required_result_elicitation: { run: asking('user_name', askName) },
  test_input_required_result_sampling: {
    run: asking('capital_question', () => sample('What is the capital of France?'))
  },
  test_input_required_result_list_roots: { run: asking('client_roots', () => inputRequired.listRoots()) },
  test_input_required_result_request_state: { run: signed(() => ({ confirm: askOk() })) },
  test_input_required_result_tampered_state: { run: signed(() => ({ confirm: askOk() })) },
  test_input_required_result_multiple_inputs: {
    run: signed(() => ({
      user_name: askName(),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots()
    }))
  },
  test_input_required_result_multi_round: { run: multiRound },
  test_input_required_result_capabilities: { run: byCapability }
}
