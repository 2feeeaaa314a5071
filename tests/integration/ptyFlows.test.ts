import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { BACKENDS, PtyAgent } from '../harness/ptyAgent'
import { makeWorld, Tandem, type World } from '../harness/tandem'

describe.each(BACKENDS)('the flows agents are shown, on %s', (backend) => {
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

  test('a shell: commands one after another, each done when the answer says so', async () => {
    const created = await agent.call('create_session', { cwd: world.project, ready_timeout_ms: 45_000 })
    expect(created).toMatchObject({
      session_id: expect.stringMatching(/^sess_[0-9a-f]{8}$/),
      pid: expect.any(Number),
      program: '/bin/bash',
      args: [],
      dimensions: { rows: 24, cols: 80 },
      project: world.project,
      session: 'default',
      name: 'Terminal 1'
    })
    expect(created.warnings).toBeUndefined()
    const id = String(created.session_id)
    const listed = await agent.run(id, 'seq 1 3')
    expect(listed).toMatchObject({ fired: 'prompt', prompt_detected: true, prompt_source: 'shell', exited: false })
    expect(listed.content).toContain('seq 1 3\n1\n2\n3\n')
    const where = await agent.run(id, 'pwd')
    expect(where.content).toBe(`pwd\n${world.project}\n$ `)
    expect(await agent.call('get_info', { session_id: id })).toMatchObject({ cwd: world.project })
  })

  test('vim: a file is edited and the program quits with code 0', async () => {
    const file = join(world.project, 'file.txt')
    const id = await agent.create({ program: 'vim', args: ['-u', 'NONE', '-n', file], cwd: world.project })
    await agent.shows(id, 'file.txt')
    await agent.send(id, { text: 'ihello world' })
    await agent.shows(id, 'hello world')
    const typed = await agent.send(id, { key: 'escape' }, { view: 'screen', wait_idle_ms: 500 })
    expect(typed).toMatchObject({ cursor: { row: 1, col: 11 }, alternate_screen: true, idle: true })
    const down = await agent.send(id, { text: 'osecond\x1b' }, { view: 'screen', wait_for: 'second' })
    expect(down).toMatchObject({ fired: 'match' })
    const end = await agent.send(id, { text: ':wq\n' }, { view: 'new', timeout_ms: 45_000 })
    expect(end).toMatchObject({ fired: 'exit', exited: true, exit_code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('hello world\nsecond\n')
    expect(await agent.refusal('send', { session_id: id, text: 'x' })).toMatch(
      /^PROCESS_EXITED: Process has exited with code 0/
    )
    expect(await agent.call('destroy_session', { session_id: id })).toMatchObject({ destroyed: true, exit_code: 0 })
  })

  test('two projects at once', async () => {
    const projects = ['a', 'b'].map((name) => join(world.root, `project-${name}`))
    for (const path of projects) mkdirSync(path)
    const [a = '', b = ''] = await Promise.all(projects.map((cwd) => agent.create({ cwd })))
    await Promise.all([agent.send(a, { text: 'pwd; echo in-a\n' }), agent.send(b, { text: 'pwd; echo in-b\n' })])
    const listed = await agent.call('list_sessions')
    expect(listed).toMatchObject({ count: 2 })
    expect(listed.sessions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ session_id: a, project: projects[0], exited: false, healthy: true, exit_code: null }),
        expect.objectContaining({ session_id: b, project: projects[1], args: [], tmuxSession: expect.any(String) })
      ])
    )
    const [readA, readB] = await Promise.all(
      [a, b].map((id) => agent.read(id, { wait_for: 'in-[ab]\\n', view: 'new' }))
    )
    expect(readA?.content).toContain(`${projects[0]}\nin-a`)
    expect(readB?.content).toContain(`${projects[1]}\nin-b`)
  })

  test('a long command is interrupted', async () => {
    const id = await agent.create({ cwd: world.project })
    await agent.send(id, { text: 'sleep 3600\n' }, { wait_for: 'sleep 3600\\n' })
    expect(await agent.read(id)).toMatchObject({ prompt_detected: false, fired: null })
    const after = await agent.send(id, { key: 'c', ctrl: true }, { wait_for_prompt: true })
    expect(after).toMatchObject({ fired: 'prompt', prompt_detected: true })
    expect(after.content).toMatch(/\^C\n\$ $/)
  })

  test('the prompt is never seen early, whatever a command prints', { timeout: LIMIT_MS }, async () => {
    const ids = await Promise.all(
      Array.from({ length: count({ small: 2, full: 10 }) }, () => agent.create({ cwd: world.project }))
    )
    const seconds = count({ small: 1, full: 3 })
    const early = async (id: string): Promise<number> => {
      let failures = 0
      for (let round = 0; round < count({ small: 1, full: 10 }); round++) {
        const command = `printf 'at 50%% > '; sleep ${seconds}; printf '\\n$ '; sleep 0.5; echo; echo X-$((${round}+1))`
        const { fired, prompt_source, content } = await agent.run(id, command)
        if (fired !== 'prompt' || prompt_source !== 'shell' || !content.includes(`X-${round + 1}\n`)) failures++
      }
      return failures
    }
    expect(await Promise.all(ids.map(early))).toEqual(ids.map(() => 0))
  })

  test('a shell that says nothing of itself is believed only while nothing runs in it', async () => {
    const id = await agent.create({ program: 'dash', cwd: world.project, env: { PS1: '$ ' } })
    const read = await agent.run(id, `printf 'at 50%% > '; sleep 1; printf '\\n# '; sleep 1; echo; echo X-$((40+2))`)
    expect(read).toMatchObject({ fired: 'prompt', prompt_detected: true, prompt_source: 'pattern' })
    expect(read.content).toContain('X-42\n')
  })
})
