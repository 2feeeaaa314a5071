import { connectMcp, type McpClient } from '../harness/mcpClients'
import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'

const ROWS = [
  '日本語テキスト と ascii ｶﾅ',
  '한국어 中文字符，标点。',
  '絵文字 🎉 🚀 👍🏽 end',
  'family 👩‍👧 flag 🇯🇵 heart ❤️ after',
  'combining e\u0301 a\u0308 ก็ नि x',
  `${'長'.repeat(60)} wraps`
]

async function connect(tandem: Tandem): Promise<McpClient> {
  return connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token, clientName: 'tester' })
}

async function hostRows(agent: McpClient, session_id: string): Promise<string[]> {
  const { structuredContent } = await agent.call('terminal__read', { session_id, view: 'screen' })
  return String(structuredContent?.content).split('\n')
}

test.use({ hostMayDie: true })

test('after a crash while vim shows wide characters and emoji, host and window have the same rows', async ({
  app,
  tandem,
  world
}) => {
  let agent = await connect(tandem)
  await app.newTerminal()
  const listed = await agent.call('terminal__list_sessions', {})
  const { sessions } = listed.structuredContent as { sessions: [{ session_id: string }] }
  const [{ session_id }] = sessions
  const send = (text: string) => agent.call('terminal__send', { session_id, text, bracketed_paste: false })
  expect((await send('LC_ALL=C.UTF-8 vim -u NONE -n -c "set encoding=utf-8 noautoindent"\r')).isError).toBeFalsy()
  await app.sees('VIM - Vi IMproved')
  expect((await send(`i${ROWS.join('\r')}\rlast line\x1b`)).isError).toBeFalsy()
  await app.sees('last line')
  await expect.poll(async () => hostRows(agent, session_id)).toEqual(await app.lines())
  const before = await app.lines()
  expect(before.join('\n')).toContain('絵文字 🎉 🚀 👍🏽 end')

  await tandem.end('SIGKILL')
  await agent.close().catch(() => undefined)
  const again = await Tandem.start(world, ['--port', new URL(tandem.ready.url).port])
  await app.page.goto(again.ready.openUrl)
  await app.sees('last line')
  agent = await connect(again)
  await expect.poll(async () => hostRows(agent, session_id)).toEqual(await app.lines())
  expect(await app.lines()).toEqual(before)
  await agent.close()
  await again.end('SIGTERM')
})
