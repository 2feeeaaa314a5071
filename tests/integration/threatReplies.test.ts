import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { SEED } from '../harness/seed'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { AnsweringTerminal } from '../harness/threats/answeringTerminal'
import { AnsweringViewer } from '../harness/threats/answeringViewer'
import { pause, until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// Printed bytes that ask the terminal something: what comes back is typed into the shell.

const ASKER = fileURLToPath(new URL('../harness/threats/asker.mjs', import.meta.url))

/** Every reply there may be; none carries text that was printed. */
const REPLY = new RegExp(
  [
    String.raw`\x1b\[[?>=]?[\d;]*c`,
    String.raw`\x1b\[\??[\d;]*n`,
    String.raw`\x1b\[\??\d+;\d+(?:;\d+)?R`,
    String.raw`\x1b\[\??\d+;\d+\$y`,
    String.raw`\x1b\[[3-9](?:;\d+){0,2}t`,
    String.raw`\x1bP>\|(?:tmux|xterm\.js)[\w.() -]*\x1b\\`,
    String.raw`\x1bP[01]\$r[\d; ]*(?:["$']?[a-z])?\x1b\\`,
    String.raw`\x1b\](?:1[0-2]|4;\d+);rgb:[\da-f/]+(?:\x07|\x1b\\)`
  ].join('|'),
  'g'
)
/** A terminal that answered every query would send this much, and a slow line would cut it anywhere. */
const REPLIES = 1000
const CUT_BYTES = 7
const ECHOED = /[QWXYZJKVqwxyzjkv]{4}/

describe.each(['tmux', 'pty'])('programs kept by %s', (backend) => {
  let world: World
  let tandem: Tandem
  let out: string
  const work = new WorkspaceClient(() => tandem)

  beforeAll(async () => {
    world = makeWorld()
    out = join(world.root, 'heard.bin')
    tandem = await Tandem.start(world, ['--backend', backend])
  })
  afterAll(async () => {
    await tandem.end('SIGTERM')
    await world.remove()
  })

  const heard = () => readFileSync(out, 'latin1')

  async function run(...words: string[]): Promise<{ id: string; tmuxSession: string; tab: Tab }> {
    const { id, tmuxSession } = await work.create()
    const tab = await Tab.open(tandem, tmuxSession)
    const quoted = words.map((word) => `'${word}'`).join(' ')
    tab.type(`exec ${process.execPath} ${ASKER} ${out} ${quoted}\r`)
    await until(() => tab.plain.includes('recording-now'), { what: 'the program to have asked', limitMs: LIMIT_MS })
    return { id, tmuxSession, tab }
  }

  test('no printed sequence is ever echoed into the shell; replies have one of a few fixed forms', {
    timeout: LIMIT_MS
  }, async () => {
    const sequences = count({ small: 4000, full: 100_000 })
    const { id, tab } = await run('fuzz', String(SEED), String(sequences))
    const replies = heard()
    expect(readFileSync(`${out}.sent`, 'latin1').match(new RegExp(ECHOED, 'g'))?.length).toBeGreaterThan(sequences / 4)
    expect(replies).not.toMatch(ECHOED)
    expect(JSON.stringify(replies.replaceAll(REPLY, ''))).toBe('""')
    // Some were answered: silence would prove nothing.
    expect(replies.match(REPLY)?.length).toBeGreaterThan(sequences / 50)
    tab.close()
    await work.kill(id)
  })

  test('viewers that answer replayed queries type nothing', { timeout: LIMIT_MS }, async () => {
    const queries = count({ small: 1000, full: 1000 })
    const { id, tmuxSession, tab } = await run('query', JSON.stringify('\r\n\x1b[6n'), String(queries))
    const before = heard()
    expect(before.match(/\[\d+;\d+R/g)).toHaveLength(queries)
    const viewers = await Promise.all(
      [0, 0, 0, undefined, undefined].map((from) => AnsweringViewer.open(tandem, tmuxSession, from))
    )
    await until(() => viewers.every(({ received }) => received.includes('recording-now')), { what: 'the replay' })
    await until(() => viewers.slice(0, 3).every(({ answers }) => answers.length > queries * 5), {
      what: 'their answers'
    })
    await pause(500)
    tab.type('THE-END')
    await tab.closed()
    expect(heard().slice(before.length)).toBe('THE-END')
    for (const viewer of viewers) viewer.close()
    tab.close()
    await work.kill(id)
  })

  test('a query is answered exactly once, however many viewers answer it too', async () => {
    const { id, tmuxSession } = await work.create()
    const viewers = await Promise.all(Array.from({ length: 5 }, () => AnsweringViewer.open(tandem, tmuxSession)))
    const tab = await Tab.open(tandem, tmuxSession)
    await tab.sees('$')
    tab.type(`exec ${process.execPath} ${ASKER} ${out} query '${JSON.stringify('\x1b[c')}' 1\r`)
    await tab.sees('recording-now')
    await until(() => viewers.every(({ answers }) => answers.includes('c')), { what: 'the viewers to have answered' })
    await pause(300)
    expect(heard().match(/\[\?[\d;]*c/g)).toHaveLength(1)
    expect(heard().replaceAll(REPLY, '')).toBe('')
    for (const viewer of viewers) viewer.close()
    tab.close()
    await work.kill(id)
  })

  test('a terminal that attaches is never asked, and what it answers all the same is not typed, however it is cut', async () => {
    const { id, tmuxSession } = await work.create()
    const person = new AnsweringTerminal(world, tmuxSession)
    try {
      await until(() => person.shown.includes('$'), { what: 'the prompt' })
      const queries = JSON.stringify('\x1b[c\x1b[6n\x1b]11;?\x1b\\\x1bP$qm\x1b\\')
      person.type(Buffer.from(`exec ${process.execPath} ${ASKER} ${out} query '${queries}' ${REPLIES}\r`))
      await until(() => person.shown.includes('recording-now'), { what: 'the program to have asked' })
      expect(person.answers).toBe('')
      const before = heard()
      expect(before.match(/\[\?[\d;]*c/g)).toHaveLength(REPLIES)
      const replies = Buffer.from(
        '\x1b[?62;22;28c\x1b[12;40R\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP1$r0m\x1b\\'.repeat(REPLIES)
      )
      for (let start = 0; start < replies.length; start += CUT_BYTES) {
        person.type(replies.subarray(start, start + CUT_BYTES))
        if (start % (100 * CUT_BYTES) === 0) await pause(1)
      }
      const paste = '\x1b[200~a log: \x1b[24;80R \x1b[?62c\x1b[201~'
      person.type(Buffer.from(`${paste}THE-END`))
      await until(() => person.exitCode !== undefined, { what: 'the end of the program' })
      expect(heard().slice(before.length)).toBe(`${paste}THE-END`)
    } finally {
      person.end()
    }
    await work.kill(id)
  })
})
