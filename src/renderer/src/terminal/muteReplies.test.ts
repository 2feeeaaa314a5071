import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { muteReplies } from './muteReplies'

const QUERIES = {
  DA1: '\x1b[c\x1b[0c',
  DA2: '\x1b[>c\x1b[>0c',
  DA3: '\x1b[=c',
  DSR: '\x1b[5n',
  CPR: '\x1b[6n\x1b[?6n',
  DECRQM: '\x1b[?2004$p\x1b[4$p',
  DECRQSS: '\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$q q\x1b\\',
  XTVERSION: '\x1b[>q\x1b[>0q',
  XTGETTCAP: '\x1bP+q544e\x1b\\',
  colours: '\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]12;?\x07',
  window: '\x1b[14t\x1b[16t\x1b[18t\x1b[19t\x1b[20t\x1b[21t',
  clipboard: '\x1b]52;c;?\x07',
  kitty: '\x1b[?u'
}

const written = (xterm: Terminal, text: string) => new Promise<void>((resolve) => xterm.write(text, resolve))

/** Everything the emulator would send on its own, with the report operations allowed that are off by default. */
async function repliesTo(text: string, { muted }: { muted: boolean }): Promise<string> {
  const xterm = new Terminal({ allowProposedApi: true, windowOptions: { getWinSizeChars: true } })
  let replies = ''
  xterm.onData((data) => {
    replies += data
  })
  if (muted) muteReplies(xterm.parser)
  await written(xterm, text)
  xterm.dispose()
  return replies
}

test.each(Object.entries(QUERIES))('%s queries get no answer', async (_name, query) => {
  expect(await repliesTo(query, { muted: true })).toBe('')
})

test('without the muting the same queries are answered', async () => {
  const replies = await Promise.all(Object.values(QUERIES).map((query) => repliesTo(query, { muted: false })))
  expect(replies.filter((reply) => reply !== '').length).toBeGreaterThanOrEqual(6)
})

test('setting a colour or the title still works', async () => {
  const xterm = new Terminal({ allowProposedApi: true })
  muteReplies(xterm.parser)
  let title = ''
  xterm.onTitleChange((text) => {
    title = text
  })
  await written(xterm, '\x1b]2;hello\x07\x1b[3;4Hx')
  expect(title).toBe('hello')
  expect(xterm.buffer.active.cursorY).toBe(2)
  xterm.dispose()
})
