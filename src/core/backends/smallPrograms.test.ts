import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SmallPrograms } from './smallPrograms'

let folder: string
let programs: SmallPrograms

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-programs-'))
  programs = new SmallPrograms()
})

afterEach(async () => {
  await programs.stop()
  rmSync(folder, { recursive: true })
})

function helpers(): number[] {
  const listed = execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([pid, parent, ...words]) => {
    return parent === String(process.pid) && words.includes('tandem-helper') ? [Number(pid)] : []
  })
}

function madeAt(name: string): Promise<string> {
  return programs.run({ fifos: [join(folder, name)] })
}

const isFifo = (name: string): boolean => statSync(join(folder, name)).isFIFO()

test('errands given at once are done one after the other by one shell, and each has its own answer', async () => {
  const answers = await Promise.allSettled([
    madeAt('a'),
    madeAt('a'),
    madeAt('b'),
    programs.run({ modes: '/dev/null' })
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect([isFifo('a'), isFifo('b')]).toEqual([true, true])
  expect(helpers()).toHaveLength(1)
})

test('a failure has a code and says what the program said', async () => {
  await expect(madeAt('missing/fifo')).rejects.toMatchObject({ code: 'IO_ERROR', message: /No such file/ })
})

test('where the shell was killed the next errand has a new one', async () => {
  await madeAt('a')
  for (const pid of helpers()) process.kill(pid, 'SIGKILL')
  await expect.poll(helpers).toEqual([])
  await madeAt('b')
  expect(isFifo('b')).toBe(true)
})

test('a shell that does not answer is given up with what it runs, and the errands behind it are done', async () => {
  await madeAt('a')
  const [pid = 0] = helpers()
  process.kill(pid, 'SIGSTOP')
  const [stuck, next] = await Promise.allSettled([madeAt('b'), madeAt('c')])
  expect([stuck?.status, next?.status]).toEqual(['rejected', 'fulfilled'])
  await expect.poll(() => helpers().includes(pid)).toBe(false)
})

test('what was asked for before the end is done, and nothing of it stays', async () => {
  await madeAt('a')
  const last = [madeAt('b'), madeAt('c')]
  await programs.stop()
  await Promise.all(last)
  expect(helpers()).toEqual([])
})
