import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BackendListener, ProgramSpec } from '../../src/core/backends/backend'
import { PtyBackend } from '../../src/core/backends/pty/ptyBackend'
import { silentLog } from '../../src/core/log'
import { AppError } from '../../src/shared/errors'
import type { ExitStatus } from '../../src/shared/terminal'
import { lateReader } from '../harness/lateReader'

let folder: string
let backend: PtyBackend

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-pty-'))
  backend = new PtyBackend({ userUmask: 0o022, log: silentLog })
})
afterEach(async () => {
  await backend.stop()
  rmSync(folder, { recursive: true })
})

class Ear implements BackendListener {
  readonly chunks: Buffer[] = []
  exit: ExitStatus | undefined
  readonly ended: Promise<ExitStatus>
  #settle: (exit: ExitStatus) => void = () => undefined

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  output(bytes: Buffer): void {
    expect(this.exit).toBeUndefined()
    this.chunks.push(bytes)
  }

  exited(exit: ExitStatus): void {
    this.exit = exit
    this.#settle(exit)
  }

  restored(): void {
    throw new Error('nothing is ever missed in a pty')
  }

  presence(): void {
    throw new Error('a pty is never in doubt')
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }
}

function specOf(...command: [string, ...string[]]): ProgramSpec {
  const stamp = {
    owner: 'owner',
    id: randomUUID(),
    project: folder,
    projectHash: '0'.repeat(64),
    session: 'default',
    name: 'Terminal 1',
    order: 0,
    created: new Date().toISOString(),
    program: command[0],
    cwd: folder
  }
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', CANARY: 'here' }
  return { tmuxSession: 'mc-x-0000', stamp, command, cwd: folder, env, size: { rows: 24, cols: 80 }, reservedOffset: 0 }
}

async function run(...command: [string, ...string[]]) {
  const ear = new Ear()
  const terminal = await backend.create(specOf(...command), ear)
  return { ear, terminal }
}

test('everything a short program prints arrives before its exit is told, 40 times of 40', async () => {
  for (let round = 0; round < 40; round++) {
    const { ear } = await run(
      '/bin/sh',
      '-c',
      'i=0; while [ $i -lt 500 ]; do echo "row $i of many rows"; i=$((i+1)); done'
    )
    await ear.ended
    expect(ear.text.split('\r\n')).toHaveLength(501)
  }
})

const LINES = Array.from({ length: 700 }, (_, index) => String(index + 1))

// In one write, of which a socket that is held back has read some already; and in many, of which it has read the first.
test.each(['seq 1 700', 'for i in $(seq 1 700); do echo $i; done'])(
  'what a program printed that ended while it was held back arrives whole before its exit: %s',
  async (print) => {
    const { ear, terminal } = await run('/bin/sh', '-c', `sleep 0.2; ${print}; echo the-end`)
    const held = terminal.resync(lateReader(() => new Promise((resolve) => setTimeout(resolve, 1500))))
    await ear.ended
    expect(ear.text.split('\r\n')).toEqual([...LINES, 'the-end', ''])
    await held
  }
)

test('an exit has a code, a death has a signal', async () => {
  expect(await (await run('/bin/sh', '-c', 'exit 3')).ear.ended).toEqual({ exitCode: 3, signal: null })
  expect(await (await run('/bin/sh', '-c', 'kill -9 $$')).ear.ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
})

test('every byte typed arrives, and one that is not read costs no processor time', async () => {
  const file = join(folder, 'typed')
  const { ear, terminal } = await run('/bin/sh', '-c', `stty raw -echo; echo ready; sleep 1; head -c 300000 > ${file}`)
  while (!ear.text.includes('ready')) await new Promise((resolve) => setTimeout(resolve, 5))
  const bytes = Buffer.alloc(300_000, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
  const before = process.cpuUsage()
  await terminal.write(bytes)
  await ear.ended
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(700)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('a program that never reads is refused more than 16 MB', async () => {
  const { ear, terminal } = await run('/bin/sh', '-c', 'stty raw -echo; echo ready; exec sleep 100')
  while (!ear.text.includes('ready')) await new Promise((resolve) => setTimeout(resolve, 5))
  const waiting = terminal.write(Buffer.alloc(16 * 1024 * 1024)).catch((failure: unknown) => failure)
  // More than the kernel itself takes.
  await expect(terminal.write(Buffer.alloc(1024 * 1024))).rejects.toMatchObject({ code: 'IO_ERROR' })
  await terminal.kill({ force: true })
  expect(await waiting).toMatchObject({ code: 'PROCESS_EXITED' })
  await expect(terminal.write(Buffer.of(1))).rejects.toMatchObject({ code: 'PROCESS_EXITED' })
})

test('many small writes that nobody reads fill neither the memory nor the time of the host', async () => {
  const { ear, terminal } = await run('/bin/sh', '-c', 'stty raw -echo; echo ready; exec sleep 100')
  while (!ear.text.includes('ready')) await new Promise((resolve) => setTimeout(resolve, 5))
  const write = () => terminal.write(Buffer.of(1)).catch((failure: unknown) => failure)
  // The kernel takes some, a limit refuses some; what waits in between is told when the program has ended.
  const outcomes = Array.from({ length: 200_000 }, write)
  expect(await outcomes.at(-1)).toMatchObject({ code: 'IO_ERROR' })
  await terminal.kill({ force: true })
  const waited = (await Promise.all(outcomes)).filter(
    (outcome) => outcome instanceof AppError && outcome.code === 'PROCESS_EXITED'
  )
  expect(waited.length).toBeGreaterThan(1000)
  expect(waited.length).toBeLessThan(70_000)
})

test('a file of a million queries is printed to its end by a program that reads no answer', async () => {
  const file = join(folder, 'queries')
  writeFileSync(file, '\x1b[c'.repeat(1_000_000))
  const { ear } = await run('/bin/sh', '-c', `stty raw -echo; cat ${file}; printf the-end`)
  await ear.ended
  expect(ear.text).toHaveLength(3_000_000 + 'the-end'.length)
})

test('no program has the terminal of another open', async () => {
  await run('/bin/sh', '-c', 'exec sleep 100')
  const { ear } = await run('/bin/sh', '-c', 'ls -l /proc/$$/fd')
  await ear.ended
  expect(ear.text).toMatch(/ 0 -> \/dev\/pts\//)
  expect(ear.text).not.toContain('ptmx')
})

test('the kernel erases whole characters of UTF-8, and output still comes as bytes', async () => {
  const { ear, terminal } = await run(
    '/bin/sh',
    '-c',
    'stty -a; echo ready; read line; printf \'%s\' "$line" | od -An -tx1'
  )
  while (!ear.text.includes('ready')) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(ear.text).toMatch(/(?<!-)\biutf8\b/)
  await terminal.write(Buffer.from('aé\x7fb\r'))
  await ear.ended
  expect(ear.text).toMatch(/ 61 62\r\n$/)
  expect(ear.chunks.every((chunk) => Buffer.isBuffer(chunk))).toBe(true)
})

test('the size, the environment and the umask reach the program', async () => {
  const script = join(folder, 'show.sh')
  writeFileSync(script, 'stty size; umask; echo "$CANARY $TERM $TERM_PROGRAM [$TMUX]"; read line; stty size')
  const { ear, terminal } = await run('/bin/sh', script)
  while (!ear.text.includes('[]')) await new Promise((resolve) => setTimeout(resolve, 5))
  await terminal.resize({ rows: 40, cols: 120 })
  await terminal.write(Buffer.from('\r'))
  await ear.ended
  expect(ear.text).toContain('24 80\r\n0022\r\nhere xterm-256color tandem []')
  expect(ear.text).toContain('40 120')
})

test('kill ends every process of the session, also the stubborn', async () => {
  const pids = join(folder, 'pids')
  const stubborn = `trap '' TERM HUP; echo $$ >> ${pids}; while :; do sleep 1; done`
  const { ear, terminal } = await run(
    '/bin/bash',
    '-ic',
    `(${stubborn}) & nohup sleep 99 & echo $! >> ${pids}; sleep 1; echo started; wait`
  )
  while (!ear.text.includes('started')) await new Promise((resolve) => setTimeout(resolve, 20))
  await terminal.kill()
  await ear.ended
  const alive = readFileSync(pids, 'utf8').trim().split('\n').map(Number).filter(isAlive)
  expect(alive).toEqual([])
})

test('while its reader is behind, the program waits, and goes on afterwards', async () => {
  const { ear, terminal } = await run('/bin/sh', '-c', 'yes | head -c 20000000; echo all-done')
  let release: () => void = () => undefined
  const caughtUp = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = terminal.resync(lateReader(() => caughtUp))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const seen = ear.chunks.length
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(ear.chunks.length).toBe(seen)
  release()
  await held
  await ear.ended
  expect(ear.text.endsWith('all-done\r\n')).toBe(true)
})

test('a program that cannot be started says so', async () => {
  const { ear } = await run('/does/not/exist')
  expect((await ear.ended).exitCode).not.toBe(0)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
