import { describe, expect, test } from 'vitest'
import { reportOf } from './hookEvents'

const told = (client: string, event: object) => reportOf(client, JSON.stringify(event))
const common = { session_id: 'abc', transcript_path: '/t.jsonl', cwd: '/work' }

describe('Claude Code', () => {
  const claude = (name: string, more = {}) => told('claude-code', { ...common, hook_event_name: name, ...more })

  test.each([
    ['SessionStart', { source: 'startup' }, { state: 'idle' }],
    ['UserPromptSubmit', { prompt: 'make it so' }, { state: 'working' }],
    ['PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }, { state: 'working' }],
    ['PostToolUse', { tool_name: 'Bash' }, { state: 'working' }],
    ['Stop', { stop_hook_active: false }, { state: 'done' }],
    ['Stop', { last_assistant_message: 'All tests pass.' }, { state: 'done', message: 'All tests pass.' }],
    ['SessionEnd', { reason: 'prompt_input_exit' }, { state: 'gone' }]
  ])('%s %o', (name, more, expected) => {
    expect(claude(name, more)).toEqual({ agent: 'Claude Code', ...expected })
  })

  test('a permission it asks for needs the person; the reminder that it sits at its prompt does not', () => {
    const message = 'Claude needs your permission to use Bash'
    expect(claude('Notification', { message })).toMatchObject({ state: 'needs-you', message })
    const permission = { message, notification_type: 'permission_prompt' }
    expect(claude('Notification', permission)).toMatchObject({ state: 'needs-you', message })
    const waiting = 'Claude is waiting for your input'
    expect(claude('Notification', { message: waiting })).toEqual({ agent: 'Claude Code', state: 'done' })
    expect(claude('Notification', { message: 'x', notification_type: 'idle_prompt' })).toMatchObject({ state: 'done' })
    expect(claude('Notification', { message: 'x', notification_type: 'auth_success' })).toBeUndefined()
  })

  test('a question is told in its own words, a plan and a wanted tool by what they are about', () => {
    const questions = [{ question: 'Which database?', options: [] }]
    expect(claude('PreToolUse', { tool_name: 'AskUserQuestion', tool_input: { questions } })).toMatchObject({
      state: 'needs-you',
      message: 'Which database?'
    })
    expect(claude('PreToolUse', { tool_name: 'ExitPlanMode', tool_input: { plan: 'First …' } })).toMatchObject({
      message: 'ExitPlanMode: First …'
    })
    expect(claude('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } })).toMatchObject({
      state: 'needs-you',
      message: 'Bash: rm -rf build'
    })
  })

  test('what a person need not know is not told', () => {
    expect(claude('PreCompact')).toBeUndefined()
    expect(claude('SessionStart', { source: 'compact' })).toBeUndefined()
    expect(claude('SubagentStop')).toBeUndefined()
  })
})

test('Codex tells the end of its turn to notify, and more to its hooks', () => {
  const turn = { type: 'agent-turn-complete', 'turn-id': '1', 'input-messages': ['x'] }
  expect(told('codex', { ...turn, 'last-assistant-message': 'Renamed.' })).toEqual({
    agent: 'Codex',
    state: 'done',
    message: 'Renamed.'
  })
  const wanted = { tool_name: 'shell', tool_input: { command: 'git push' } }
  expect(told('codex', { hook_event_name: 'PermissionRequest', ...wanted })).toMatchObject({
    state: 'needs-you',
    message: 'shell: git push'
  })
  expect(told('codex', { hook_event_name: 'UserPromptSubmit' })).toMatchObject({ state: 'working' })
  expect(told('codex', { type: 'something-else' })).toBeUndefined()
})

test('opencode tells by the events of its bus, in the words of its older and newer versions', () => {
  const event = (type: string, properties: object) => told('opencode', { type, properties })
  expect(event('session.status', { status: { type: 'busy' } })).toEqual({ agent: 'opencode', state: 'working' })
  expect(event('session.status', { status: { type: 'idle' } })).toBeUndefined()
  expect(event('session.idle', { sessionID: 's' })).toEqual({ agent: 'opencode', state: 'done' })
  expect(event('permission.updated', { title: 'Run rm -rf build' })).toMatchObject({ message: 'Run rm -rf build' })
  expect(event('permission.asked', { permission: 'bash', patterns: ['rm *', 7] })).toEqual({
    agent: 'opencode',
    state: 'needs-you',
    message: 'bash: rm *'
  })
  expect(event('question.asked', { questions: [{ question: 'Which?' }] })).toMatchObject({ message: 'Which?' })
  expect(event('permission.replied', {})).toMatchObject({ state: 'working' })
})

test.each(['', '{', 'null', '7', '"Stop"', '[]', '{"hook_event_name":{"toString":1}}', '{"message":[1]}'])(
  'what is no event tells nothing: %s',
  (text) => {
    for (const client of ['claude-code', 'codex', 'opencode', 'nobody', 'toString']) {
      expect(reportOf(client, text)).toBeUndefined()
    }
  }
)
