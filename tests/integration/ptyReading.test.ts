import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { BACKENDS, PtyAgent } from '../harness/ptyAgent'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

const FLOOD_BYTES = count({ small: 10_000_000, full: 50_000_000 })

describe.each(BACKENDS)('reading on %s', (backend) => {
  let world: World
  let tandem: Tandem
  let agent: PtyAgent

  beforeEach(async () => {
    world = makeWorld()
    tandem = await Tandem.start(world, ['--backend', backend])
    agent = await PtyAgent.connect(tandem)
  })
  afterEach(async () => {
    await agent.close()
    await tandem.end('SIGKILL')
    await world.remove()
  })

  test('two agents both get everything, once; a cursor moves nobody', async () => {
    const id = await agent.create({ cwd: world.project })
    const other = await PtyAgent.connect(tandem, { name: 'other' })
    const run = await agent.run(id, 'seq 1 20000')
    const lines = Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')
    const rest: string[] = []
    const whole = await other.read(id, { max_chars: 1_000_000 })
    expect(whole.content).toContain(`\n${lines}\n`)
    expect(whole).toMatchObject({ omitted: 0, has_new_content: true })
    expect(await other.read(id)).toMatchObject({ content: '', lines: 0, has_new_content: false })
    expect(run.omitted).toBeGreaterThan(0)
    for (let page = run; page.omitted > 0; ) {
      page = await agent.read(id)
      rest.push(page.content)
    }
    expect(run.content + rest.join('')).toContain(`\n${lines}\n`)
    const again = await other.read(id, { cursor: 0, max_chars: 1_000_000 })
    expect(again.content).toBe(whole.content)
    const raw = await other.read(id, { cursor: 0, format: 'raw', max_chars: 1_000_000 })
    expect(raw).toMatchObject({ encoding: 'utf8' })
    expect(raw.content).toContain('\r\n19999\r\n20000\r\n')
    await other.close()
  })

  test('a flood is answered in time, and what was dropped is said', { timeout: LIMIT_MS }, async () => {
    const id = await agent.create({ cwd: world.project })
    await agent.send(id, { text: `yes "some words of a flood" | head -c ${FLOOD_BYTES}; echo flood-$((1+1))\n` })
    const during = await agent.read(id, { view: 'screen', timeout_ms: 200, wait_idle_ms: 10_000 })
    expect(during.lines).toBe(24)
    let dropped = 0
    await until(
      async () => {
        const read = await agent.read(id, { wait_for: 'flood-2', timeout_ms: 5_000, max_chars: 1_000_000 })
        dropped += read.dropped ?? 0
        // A host that fell far behind takes the screen afresh: the last line may be among what was dropped, and said so.
        const screen = await agent.read(id, { view: 'screen' })
        return read.content.includes('flood-2') || screen.content.includes('flood-2')
      },
      { what: 'the end of the flood', limitMs: LIMIT_MS }
    )
    expect(dropped).toBeGreaterThan(0)
  })

  test('screens, their changes, history in pages, and a new size', async () => {
    const id = await agent.create({ cwd: world.project })
    await agent.run(id, 'clear; seq 1 50; echo "日本 é"')
    const screen = await agent.read(id, { view: 'screen' })
    expect(screen.content.split('\n')).toHaveLength(24)
    expect(screen.content).toContain('日本 é')
    const { revision } = screen
    expect(await agent.read(id, { view: 'screen', since_revision: revision })).toMatchObject({ revision, changed: [] })
    await agent.send(id, { text: 'typed' }, { wait_for: 'typed' })
    const changed = await agent.read(id, { view: 'screen', since_revision: revision })
    expect(changed.changed).toEqual([{ row: 24, text: '$ typed' }])
    await agent.send(id, { key: 'u', ctrl: true })
    const page = await agent.read(id, { view: 'scrollback', offset: 2, limit: 3 })
    expect(page).toMatchObject({ content: '48\n49\n50', lines: 3, cursor: null })
    expect(page.total_lines).toBeGreaterThan(51)
    expect(await agent.call('resize', { session_id: id, rows: 30, cols: 100 })).toMatchObject({ resized: true })
    expect((await agent.run(id, 'stty size')).content).toContain('30 100')
    expect((await agent.read(id, { view: 'screen' })).content.split('\n')).toHaveLength(30)
  })

  test('a spinner does not keep a screen from settling', async () => {
    const id = await agent.create({ cwd: world.project })
    const spinner = 'while :; do for c in / - \\\\ "|"; do printf "\\rworking %s" "$c"; sleep 0.08; done; done'
    const read = await agent.send(
      id,
      { text: `${spinner}\n` },
      { view: 'screen', wait_settled: 1500, timeout_ms: 45_000 }
    )
    expect(read).toMatchObject({ fired: 'idle', idle: true })
    expect(read.content).toContain('working')
    await agent.send(id, { key: 'c', ctrl: true }, { wait_for_prompt: true })
  })

  test('paste and mouse reach the program in the form it asked for', async () => {
    const id = await agent.create({ cwd: world.project })
    await agent.send(
      id,
      { text: "stty raw -echo; printf 'READY\\033[?2004h\\033[?1000h\\033[?1006h'; cat -v\n" },
      { wait_for: '^READY' }
    )
    await agent.send(id, { text: 'a\nb\n' }, { wait_for: '201~' })
    await agent.send(id, { mouse: { row: 3, col: 5 } }, { wait_for: '5;3m' })
    const { content } = await agent.read(id, { view: 'screen' })
    expect(content.replaceAll('\n', '')).toMatch(/\^\[\[200~a.*b\^\[\[201~/)
    expect(content).toContain('^[[<0;5;3M^[[<0;5;3m')
  })
})

test('a host that is killed while vim shows wide characters comes back with the same screen', async () => {
  const world = makeWorld()
  let tandem = await Tandem.start(world)
  let agent = await PtyAgent.connect(tandem)
  try {
    const id = await agent.create({
      program: 'vim',
      args: ['-u', 'NONE', '-n'],
      cwd: world.project,
      env: { LC_ALL: 'C.UTF-8' }
    })
    await agent.shows(id, 'VIM')
    await agent.send(id, { text: ':set encoding=utf-8\r' })
    await agent.send(id, { text: 'i日本語テキスト と ascii\r絵文字 👩‍👧 🎉 end\x1b' })
    const before = await agent.shows(id, 'end')
    await tandem.end('SIGKILL')
    tandem = await Tandem.start(world)
    agent = await PtyAgent.connect(tandem)
    const after = await agent.shows(id, 'end')
    expect(after.content.split('\n').slice(0, 2)).toEqual(before.content.split('\n').slice(0, 2))
    expect(after).toMatchObject({ alternate_screen: true })
    await agent.send(id, { text: '\x1b:q!\r' })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
  } finally {
    await agent.close()
    await tandem.end('SIGKILL')
    await world.remove()
  }
})
