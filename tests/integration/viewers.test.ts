import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../harness/faults/random'
import { render } from '../harness/render'
import { SEED } from '../harness/seed'
import { plainText, Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const random = seededRandom(SEED)

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${tandem.ready.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

test('a viewer that never reads costs neither the program, nor the host, nor the others', async () => {
  const { id, tmuxSession } = await work.create()
  const hung = await Promise.all(Array.from({ length: 5 }, () => Tab.open(tandem, tmuxSession)))
  for (const tab of hung) tab.stopReading()
  const watching = await Tab.open(tandem, tmuxSession)
  const before = residentMegabytes()
  watching.type('seq 1 3000000; echo flood-"over"\r')
  let highest = 0
  const finished = until(() => watching.plain.slice(-2000).includes('flood-over'), {
    what: 'the end of the flood',
    limitMs: 90_000
  })
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMegabytes())
    if (watching.bytes.length > 4_000_000) watching.forget()
  }, 50)
  await finished
  clearInterval(watch)
  expect(highest - before).toBeLessThan(150)
  for (const tab of hung) {
    tab.forget()
    tab.startReading()
    await tab.sees('flood-over')
    tab.close()
  }
  watching.close()
  await work.kill(id)
})

test('a viewer that reconnects 100 times during 200,000 lines misses and doubles nothing', async () => {
  const { id, tmuxSession } = await work.create()
  let tab = await Tab.open(tandem, tmuxSession)
  // In 200 parts: one `seq` prints more in the moment of a reconnect than is kept for a viewer that is away.
  const parts = 'for part in {0..199}; do seq $((part * 1000 + 1)) $((part * 1000 + 1000)); done'
  tab.type(`stty -echo; PS1=; sleep 0.5; ${parts}; echo the-"end"\r`)
  await tab.sees('stty')
  const received: Buffer[] = []
  let reconnects = 0
  while (reconnects < 100 || !received.some((part) => part.includes('the-end'))) {
    await pause(random.below(10))
    received.push(tab.bytes)
    const from = tab.offset ?? 0
    tab.close()
    tab = await Tab.open(tandem, tmuxSession, { from })
    reconnects += 1
    if (reconnects > 5000) throw new Error('the end never came')
  }
  received.push(tab.bytes)
  tab.close()
  const numbers = linesOfDigits(Buffer.concat(received).toString())
  const expected = Array.from({ length: 200_000 }, (_, index) => String(index + 1))
  expect(hashOf(numbers)).toBe(hashOf(expected))
  await work.kill(id)
})

test('ten viewers of one terminal all get every byte', async () => {
  const { id, tmuxSession } = await work.create()
  const tabs = await Promise.all(Array.from({ length: 10 }, () => Tab.open(tandem, tmuxSession)))
  await tabs[0]?.sees('$')
  for (const tab of tabs) tab.forget()
  tabs[0]?.type('seq 1 20000; echo all-"done"\r')
  for (const tab of tabs) await until(() => tab.text.includes('all-done'), { what: 'the end in every tab' })
  await pause(200)
  const hashes = new Set(tabs.map((tab) => hashOf([tab.text.slice(0, tab.text.indexOf('all-done'))])))
  expect(hashes.size).toBe(1)
  expect(linesOfDigits(tabs[0]?.text ?? '')).toHaveLength(20_000)
  for (const tab of tabs) tab.close()
  await work.kill(id)
})

test('what is cut inside a character or an escape sequence arrives whole in every viewer', async () => {
  const { id, tmuxSession } = await work.create()
  const script = join(world.root, 'slow.mjs')
  writeFileSync(
    script,
    `import { writeSync } from 'node:fs'
const bytes = Buffer.from('START \\x1b[1;38;2;200;100;50mcolour\\x1b[0m 漢字 👩‍👩‍👧 \\x1b]0;a title\\x07é END\\n')
for (const byte of bytes) { writeSync(1, Buffer.of(byte)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4) }
`
  )
  const tab = await Tab.open(tandem, tmuxSession)
  await tab.sees('$')
  tab.type(`${process.execPath} ${script}\r`)
  await tab.sees('START')
  const joiners: Tab[] = []
  for (let joiner = 0; joiner < 8; joiner++) {
    joiners.push(await Tab.open(tandem, tmuxSession))
    await pause(20)
  }
  for (const each of [tab, ...joiners]) {
    await each.sees('END')
    expect(await render(each.bytes)).toContain('START colour 漢字 👩‍👩‍👧 é END')
    each.close()
  }
  await work.kill(id)
})

test('one terminal has one size: that of the viewer last active in it', async () => {
  const { id, tmuxSession } = await work.create()
  const large = await Tab.open(tandem, tmuxSession, { columns: 120, rows: 40 })
  await until(() => large.size?.columns === 120)
  const small = await Tab.open(tandem, tmuxSession, { columns: 60, rows: 20 })
  await until(() => small.size?.columns === 60 && large.size?.columns === 60)
  large.type('stty size\r')
  await large.sees('40 120')
  await until(() => small.size?.columns === 120)
  for (const [columns, rows] of [
    [0, 0],
    [65_535, 65_535],
    [-1, 5]
  ] as const)
    small.resize(columns, rows)
  large.type('stty size\r')
  await large.sees(/40 120[\s\S]*40 120/)
  large.close()
  small.close()
  await work.kill(id)
})

test('the tmux server answers a query once, however many viewers look on', async () => {
  const { id, tmuxSession } = await work.create()
  const tabs = await Promise.all(Array.from({ length: 5 }, () => Tab.open(tandem, tmuxSession)))
  await tabs[0]?.sees('$')
  tabs[0]?.type('stty raw -echo min 0 time 10; printf \'\\033[c\'; cat -v; stty sane; echo answer"ed"\r')
  await pause(300)
  // What a stock client's own emulator would send back to the same query.
  for (const tab of tabs) tab.type('\x1b[?1;2c')
  await tabs[0]?.sees('answered')
  expect(tabs[0]?.plain.match(/\^\[\[\?[\d;]+c/g)).toHaveLength(1)
  for (const tab of tabs) tab.close()
  await work.kill(id)
})

function linesOfDigits(text: string): string[] {
  return plainText(text)
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\r', ''))
    .filter((line) => /^\d+$/.test(line))
}

function hashOf(lines: string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
