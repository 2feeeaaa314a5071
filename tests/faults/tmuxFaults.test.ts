import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Door, refusalOf } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { Onlookers } from '../harness/faults/onlookers'
import { identify, isAlive } from '../harness/faults/processIdentity'
import { Tab } from '../harness/tab'
import { pause, until } from '../harness/waiting'
import type { Listed } from '../harness/workspace'

faultTest({ id: 'B11', fault: 'the tmux server is killed', quick: 2, full: 200 }, (injection) =>
  FaultHost.during((host) => killServer(host, injection), { injection })
)

faultTest({ id: 'B12', fault: 'the tmux server hangs', quick: 1, full: 100 }, (injection) =>
  FaultHost.during((host) => stopServer(host, injection), { injection })
)

faultTest({ id: 'B13', fault: 'the tmux socket is deleted', quick: 2, full: 100 }, (injection) =>
  FaultHost.during((host) => deleteSocket(host, injection), { injection })
)

faultTest({ id: 'B13', fault: 'tmux is missing, elsewhere, too old or broken', quick: 3, full: 600 }, (injection) =>
  FaultHost.during((host) => breakTmux(host, injection), { injection })
)

const states = (listed: Listed[]) => listed.map(({ id, state }) => [id, state])

async function killServer(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  for (const round of injection.rounds()) {
    const made = [await door.create(`one ${round}`), await door.create(`two ${round}`)]
    const onlookers = await Onlookers.open(host.tandem, door)
    const ids = made.map(({ id }) => id)
    const tab = await Tab.open(host.tandem, made[0]?.tmuxSession ?? '')
    tab.type(`echo seen-$((${round}+1))\r`)
    await tab.sees(`seen-${round + 1}`)
    const server = host.world.tmuxServerPid()
    const killedMs = performance.now()
    process.kill(server, 'SIGKILL')
    const { uiMs, agentMs } = await onlookers.learn('lost')
    injection.limit('uiToldMs', uiMs - killedMs, 2000)
    injection.limit('agentToldMs', agentMs - killedMs, 2000)
    await onlookers.close()
    expect(states(await door.list())).toEqual(ids.map((id) => [id, 'lost']))
    expect(host.stored(door).map(({ id }) => id)).toEqual(ids)
    const again = await Tab.open(host.tandem, made[0]?.tmuxSession ?? '')
    await again.sees(`seen-${round + 1}`)
    for (const open of [tab, again]) open.close()
    const fresh = await door.create('fresh')
    await expectAnswers(host, fresh.tmuxSession, `fresh-${round}`)
    expect(host.stamped()).toEqual([fresh.tmuxSession])
    for (const { id } of await door.list()) await door.kill(id)
  }
}

async function expectAnswers(host: FaultHost, tmuxSession: string, word: string): Promise<void> {
  const tab = await Tab.open(host.tandem, tmuxSession)
  tab.type(`echo ${word}-$((1+1))\r`)
  await tab.sees(`${word}-2`)
  tab.close()
}

async function stopServer(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const made = await door.create('first')
  const sink = await KeySink.open(host)
  const server = host.world.tmuxServerPid()
  for (const round of injection.rounds()) {
    const before = await door.list()
    const stored = host.stored(door)
    process.kill(server, 'SIGSTOP')
    try {
      for (let key = 0; key < 5; key += 1) sink.type(`key ${round}.${key} of the quick brown fox`)
      const askedMs = performance.now()
      expect(await refusalOf(door.create(`in doubt ${round}`))).toBe('TMUX_UNRESPONSIVE')
      injection.limit('refusedAfterMs', performance.now() - askedMs, 3000)
      await until(async () => (await door.list()).every(({ state }) => state === 'unknown'), { what: 'states unknown' })
      await expectAnswersSoon(host, door, injection)
      expect((await door.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
      expect(host.stored(door)).toEqual(stored)
      if (injection.isFull) await pause(10_000)
    } finally {
      process.kill(server, 'SIGCONT')
    }
    await until(async () => (await door.list()).every(({ state }) => state === 'running'), { what: 'states running' })
    await expectAnswers(host, made.tmuxSession, `after-${round}`)
    await sink.expectOnce(`after ${round}`)
    await settleDoubt(door, { before, name: `in doubt ${round}` })
  }
  sink.close()
}

/** Nobody who asks waits for tmux: what the host knows it says at once. */
async function expectAnswersSoon(host: FaultHost, door: Door, injection: Injection): Promise<void> {
  const startedMs = performance.now()
  expect((await host.tandem.api('GET', '/healthz')).status).toBe(200)
  injection.limit('healthMs', performance.now() - startedMs, 3000)
  const askedMs = performance.now()
  await door.list()
  injection.limit('listMs', performance.now() - askedMs, 3000)
}

/** A program that writes down every byte it is typed. */
class KeySink {
  readonly #typed: string[] = []
  #tab: Tab

  private constructor(
    private readonly host: FaultHost,
    private readonly tmuxSession: string,
    tab: Tab
  ) {
    this.#tab = tab
  }

  static async open(host: FaultHost): Promise<KeySink> {
    const { tmuxSession } = await host.door().create('sink')
    const tab = await Tab.open(host.tandem, tmuxSession)
    const sink = new KeySink(host, tmuxSession, tab)
    tab.type(`exec cat > ${sink.#path}\r`)
    await until(() => existsSync(sink.#path), { what: 'the program to be typed to' })
    return sink
  }

  type(line: string): void {
    this.#typed.push(line)
    this.#tab.type(`${line}\r`)
  }

  /** What was typed while tmux stood still came once or not at all, whole and in order, and who typed it was told. */
  async expectOnce(line: string): Promise<void> {
    const wasTold = this.#tab.closeCode !== undefined
    this.#tab.close()
    this.#tab = await Tab.open(this.host.tandem, this.tmuxSession)
    this.type(line)
    await until(() => this.#arrived().includes(line), { what: () => `"${line}" in ${this.#arrived().join()}` })
    const kept = this.#typed.filter((typed) => this.#arrived().includes(typed))
    expect(this.#arrived()).toEqual(kept)
    expect(wasTold || kept.length === this.#typed.length).toBe(true)
    this.#typed.splice(0, this.#typed.length, ...kept)
  }

  close(): void {
    this.#tab.close()
  }

  get #path(): string {
    return join(this.host.world.root, 'typed')
  }

  #arrived(): string[] {
    return readFileSync(this.#path, 'utf8').split('\n').slice(0, -1)
  }
}

/** The create without an answer may have happened: then it is a terminal like any other, and the only one more. */
async function settleDoubt(door: Door, { before, name }: { before: Listed[]; name: string }): Promise<void> {
  const known = new Set(before.map(({ id }) => id))
  const more = (await door.list()).filter(({ id }) => !known.has(id))
  expect(more.map((one) => one.name)).toEqual(more.length === 0 ? [] : [name])
  for (const { id } of more) await door.kill(id)
}

async function deleteSocket(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const made = await door.create('first')
  const socket = host.world.tmux('display-message', '-p', '#{socket_path}').trim()
  for (const round of injection.rounds()) {
    const program = identify((await door.list())[0]?.pid ?? 0)
    rmSync(socket)
    expect((await door.list()).map(({ id }) => id)).toEqual([made.id])
    await expectAnswers(host, made.tmuxSession, `socketless-${round}`)
    rmSync(socket, { force: true })
    await host.crash()
    await host.restart()
    expect(states(await door.list())).toEqual([[made.id, 'running']])
    expect(program && isAlive(program)).toBe(true)
    await expectAnswers(host, made.tmuxSession, `back-${round}`)
  }
}

const SCRIPTS = {
  partial: 'case "$1" in -V) echo "tmux 3.4";; *) printf "%%begin 1 1 1\\nhalf an ans";; esac',
  failing: 'exit 1',
  garbage: 'case "$1" in -V) echo "tmux 3.4";; *) head -c 4096 /dev/urandom;; esac',
  old: 'case "$1" in -V) echo "tmux 2.9a";; *) exec /usr/bin/tmux "$@";; esac'
}

/** A host that finds no usable tmux keeps everything, says so, and touches nothing. */
async function breakTmux(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const made = await door.create('first')
  const program = identify((await door.list())[0]?.pid ?? 0)
  const breaks = brokenWorlds(host)
  for (const round of injection.rounds()) {
    const { name, environment } = breaks[round % breaks.length] ?? { name: '', environment: {} }
    const stored = host.stored(door)
    const before = { ...host.world.environment }
    await host.crash()
    Object.assign(host.world.environment, environment)
    await host.restart()
    const { sessions, warnings } = await door.look()
    expect([name, ...sessions.map(({ id }) => id)]).toEqual([name, made.id])
    expect([name, ...sessions.map(({ state }) => state)]).toEqual([name, 'unknown'])
    expect(warnings.map(({ code }) => code).join()).toMatch(/^TMUX_/)
    expect(host.stored(door)).toEqual(stored)
    for (const told of await actInDoubt(door, { id: made.id, name: `in ${name} ${round}` }))
      injection.loss(`${name}: ${told}`)
    expect(host.stored(door)).toEqual(stored.map((one) => ({ ...one, name: `in ${name} ${round}` })))
    expect(program && isAlive(program)).toBe(true)
    await host.crash()
    Object.assign(host.world.environment, before)
    await host.restart()
    const mended = await door.list()
    expect(states(mended)).toEqual([[made.id, 'running']])
    expect(mended.map((one) => one.name)).toEqual([`in ${name} ${round}`])
    await expectAnswers(host, made.tmuxSession, `mended-${round}`)
  }
}

/** Where it is not known what lives: names can be given, nothing is closed, and what is made anew is told and can be closed. */
async function actInDoubt(door: Door, { id, name }: { id: string; name: string }): Promise<string[]> {
  const losses: string[] = []
  const killed = await refusalOf(door.kill(id))
  if (!killed.startsWith('TMUX_')) losses.push(`a kill answered ${killed}`)
  const removed = await refusalOf(door.remove())
  if (!removed.startsWith('TMUX_')) losses.push(`removing all answered ${removed}`)
  if (!(await door.rename(id, name))) losses.push('a rename was refused')
  const created = await refusalOf(door.create('in doubt'))
  if (created !== 'no refusal' && !created.startsWith('TMUX_')) losses.push(`a create answered ${created}`)
  const more = (await door.list()).filter((one) => one.id !== id)
  if (created === 'no refusal' && more.length !== 1) losses.push(`${more.length} terminals after a create`)
  for (const one of more) if (!(await door.kill(one.id)).success) losses.push('a new one could not be closed')
  return losses
}

function brokenWorlds(host: FaultHost): { name: string; environment: NodeJS.ProcessEnv }[] {
  const folder = (name: string) => {
    const path = join(host.world.root, name)
    mkdirSync(path, { mode: 0o700 })
    return path
  }
  const withScript = Object.entries(SCRIPTS).map(([name, script]) => {
    const path = folder(`${name}-tmux`)
    writeFileSync(join(path, 'tmux'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(path, 'tmux'), 0o755)
    return { name, environment: { PATH: `${path}:${process.env.PATH}` } }
  })
  const without = folder('no-tmux')
  for (const tool of ['sh', 'bash', 'tail', 'sleep', 'env', 'mkfifo', 'cat'])
    symlinkSync(`/bin/${tool}`, join(without, tool))
  // The first three, which `npm test` tries, are of three kinds: another server, none, and one that gives no answers.
  return [
    { name: 'another socket', environment: { TANDEM_TMUX_SOCKET: `${host.world.environment.TANDEM_TMUX_SOCKET}-x` } },
    { name: 'missing', environment: { PATH: without } },
    ...withScript,
    { name: 'elsewhere', environment: { TMUX_TMPDIR: folder('elsewhere') } }
  ]
}
