import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BACKENDS, PtyAgent } from '../harness/ptyAgent'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

describe.each(BACKENDS)('programs are driven by keys and screens alone, on %s', (backend) => {
  let world: World
  let tandem: Tandem
  let agent: PtyAgent
  const at = (name: string) => join(world.project, name)
  const create = (program: string, ...args: string[]) => agent.create({ program, args, cwd: world.project })

  beforeEach(async () => {
    world = makeWorld({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LESS: '' })
    tandem = await Tandem.start(world, ['--backend', backend])
    agent = await PtyAgent.connect(tandem)
  })
  afterEach(async () => {
    await agent.close()
    await tandem.end('SIGKILL')
    await world.remove()
  })

  test('htop: help, back, quit', async () => {
    const id = await create('htop')
    await agent.shows(id, 'F10')
    await agent.press(id, 'f1', 'GNU GPL')
    await agent.press(id, 'escape', 'F10')
    await agent.send(id, { key: 'q' })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
  })

  test('less: a page on, the end, a search, quit', async () => {
    writeFileSync(at('long.txt'), Array.from({ length: 200 }, (_, index) => `row ${index + 1}`).join('\n'))
    const id = await create('less', at('long.txt'))
    await agent.shows(id, '^row 23$')
    await agent.press(id, 'pagedown', '^row 40$')
    await agent.press(id, 'G', '^row 200$')
    await agent.send(id, { text: '?row 77\r' })
    await agent.shows(id, '^row 77$')
    await agent.send(id, { key: 'q' })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
  })

  test('nano: text is written to a file', async () => {
    const id = await create('nano', '--ignorercfiles', at('note.txt'))
    await agent.shows(id, 'New File')
    await agent.press(id, { text: 'written by keys' }, 'written by keys')
    await agent.press(id, { key: 'o', ctrl: true }, 'File Name to Write')
    await agent.press(id, 'enter', 'Wrote 1 line')
    await agent.send(id, { key: 'x', ctrl: true })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
    expect(readFileSync(at('note.txt'), 'utf8')).toBe('written by keys\n')
  })

  test('python3: blocks of several lines', async () => {
    const id = await create('python3', '-q')
    await agent.shows(id, '^>>>')
    await agent.send(id, { text: 'def double(number):\n    return number * 2\n\n', bracketed_paste: false })
    const read = await agent.send(id, { text: 'print("is", double(21))\n' }, { wait_for: 'is 42' })
    expect(read).toMatchObject({ fired: 'match' })
    await agent.send(id, { key: 'd', ctrl: true })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
  })

  test('git add -p: one hunk is taken, the other left', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: world.project, env: world.environment, encoding: 'utf8' })
    git('init', '-q')
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    writeFileSync(at('f'), `${lines.join('\n')}\n`)
    git('add', 'f')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first')
    writeFileSync(at('f'), `${lines.join('\n').replace('line 2\n', 'two\n').replace('line 27', 'twenty-seven')}\n`)
    const id = await create('git', '--no-pager', 'add', '-p')
    await agent.shows(id, 'Stage this hunk')
    await agent.send(id, { text: 'y', submit: true })
    await agent.shows(id, '\\(2/2\\) Stage this hunk')
    await agent.send(id, { text: 'n', submit: true })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
    expect(git('diff', '--cached')).toContain('+two')
    expect(git('diff', '--cached')).not.toContain('twenty-seven')
  })

  test('fzf: a line is searched for and picked', async () => {
    const id = await agent.create({ program: 'sh', args: ['-c', 'seq 100 | fzf > picked'], cwd: world.project })
    await agent.shows(id, '100/100')
    await agent.press(id, { text: '77' }, '1/100')
    await agent.send(id, { key: 'enter' })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
    expect(readFileSync(at('picked'), 'utf8')).toBe('77\n')
  })

  test('dialog: a menu by arrow keys', async () => {
    const menu = ['--menu', 'Pick one', '12', '40', '3', 'a', 'first', 'b', 'second', 'c', 'third']
    const id = await agent.create({
      program: 'sh',
      args: ['-c', 'dialog "$@" 2> picked', 'sh', ...menu],
      cwd: world.project
    })
    await agent.shows(id, 'third')
    await agent.send(id, { key: 'down' }, { view: 'screen', wait_idle_ms: 300 })
    await agent.send(id, { key: 'down' }, { view: 'screen', wait_idle_ms: 300 })
    await agent.send(id, { key: 'enter' })
    expect(await agent.exits(id)).toMatchObject({ exit_code: 0 })
    expect(readFileSync(at('picked'), 'utf8')).toBe('c')
  })

  test('a password is handed over: the agent is told, may not type it, and never reads it', async () => {
    const script =
      'printf "Password: "; stty -echo; read secret; stty echo; printf "\\nlength %s\\n" "$(printf %s "$secret" | wc -c)"; sleep 60'
    const created = await agent.call('create_session', { program: 'sh', args: ['-c', script], cwd: world.project })
    const id = String(created.session_id)
    await agent.shows(id, 'Password:')
    await until(async () => (await agent.read(id, { view: 'screen' })).needs_person, { what: 'the need of a person' })
    expect(await agent.refusal('send', { session_id: id, text: 'guess\n' })).toMatch(/^HUMAN_HAS_CONTROL: /)
    const tab = await Tab.open(tandem, String(created.tmuxSession))
    tab.type('sesame\r')
    await agent.shows(id, 'length 6')
    for (const view of ['screen', 'new', 'scrollback']) {
      const read = await agent.read(id, { view })
      expect(read.content).not.toContain('sesame')
      expect(read.needs_person).toBe(false)
    }
    tab.close()
  })
})
